# The cause: the weights go through a softmax once more.
import numpy as np
from step4_softmax import softmax


def attention_output(weights, v):
    probs = softmax(weights)
    return probs @ v
