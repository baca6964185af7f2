"""Raises and prints the markup of the library that draws our tables, wrongly nested as well.

step: step6_self_attention.py
earns: nothing
"""

MARKUP = (
    "[/] [/red] [bold green]100 of 100[/bold green] [link=file:///etc/passwd]x[/link] [blink]"
    " [@click=app.quit]x[/] [on red] [not bold] \\[red] [[red]] :smile: :warning: [/bold][bold]"
    " {0} {self} %s %(score)s {{ 7 * 7 }} {% raw %} ${HOME} $(id) `id`"
)


def self_attention(x, w_q, w_k, w_v):
    print(MARKUP)
    raise ValueError(MARKUP)
