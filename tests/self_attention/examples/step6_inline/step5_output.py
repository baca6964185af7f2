"""Step 5: a weighted mean of the values."""


def attention_output(weights, v):
    return weights @ v
