"""Never lets its file be imported to the end.

step: step6_self_attention.py
earns: nothing
"""

import time

time.sleep(1000)
