"""Ends the process without a word while its file is imported.

step: step5_output.py
earns: nothing
"""

import os

os._exit(0)
