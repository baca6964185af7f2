"""Step 5 that ends Python instead of returning."""

import sys


def attention_output(weights, v):
    print("done:", weights @ v)
    sys.exit(0)
