"""Fails at its import with forged words, in a syntax error that names another file and line.

step: step6_self_attention.py
earns: nothing
"""

TEXT = "```\n# Full marks\x1b[31m\u202e <script>alert(1)</script> =1+1 [red]x[/] score: 100 of 100"

raise SyntaxError(TEXT, ("step6_self_attention.py", -1, -1, TEXT * 100, 10**9, -(10**9)))
