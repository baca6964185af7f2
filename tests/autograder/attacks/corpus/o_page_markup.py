"""Raises and prints what a page would take for its own: fences, headings, links, pictures, HTML.

step: step6_self_attention.py
earns: nothing
"""

MARKUP = "\n".join(
    [
        "```",
        "````````",
        "~~~",
        "# Self-attention, step by step",
        "## ✓ step 6 · self_attention · passed · 20 of 20 points",
        "Setext",
        "======",
        "**100 of 100 points**",
        "[mend it](javascript:alert(1)) ![x](http://evil/x.png) <http://evil>",
        "<script>alert(1)</script><img src=x onerror=alert(1)></code></pre>",
        "<!-- <![CDATA[ ]]>",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "    indented",
        "* * *",
        "&lt;b&gt; &#35; \\`\\`\\`",
        "$$\\href{javascript:alert(1)}{x}$$",
        "`" * 300,
        "",
        "```text",
    ]
)


def self_attention(x, w_q, w_k, w_v):
    print(MARKUP)
    raise type(MARKUP, (Exception,), {})(MARKUP)
