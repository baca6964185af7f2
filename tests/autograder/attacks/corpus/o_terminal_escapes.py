"""Raises, prints and is named after what moves a terminal: colours, titles, links, bells, returns.

step: step6_self_attention.py
earns: nothing
"""

ESCAPES = (
    "\x1b[31mred\x1b[0m\x1b[2J\x1b[H\x1b[8mhidden\x1b]0;title\x07\x1b]8;;http://evil\x1b\\link"
    "\x1b]52;c;ZXZpbA==\x07\x9b31m\x9d0;c1\x9c\x90dcs\x9c\x1b(0lqk\x1b[?1049h\x1b[6n"
    "right\rscore: 100 of 100\x08\x08\x7f\x00\x0b\x0c\x0e\x05"
)


class Escapes(Exception):
    def __str__(self):
        return ESCAPES


def self_attention(x, w_q, w_k, w_v):
    print(ESCAPES)
    raises = compile("def raises():\n    raise Escapes", "step6_self_attention.py", "exec")
    exec(raises, globals())
    code = globals()["raises"].__code__.replace(co_name=ESCAPES, co_filename="step6_self_attention.py")
    globals()["raises"].__code__ = code
    Escapes.__name__ = "Escapes\x1b[31m"
    globals()["raises"]()
