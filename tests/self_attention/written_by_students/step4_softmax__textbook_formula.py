# The cause: no maximum is subtracted: exp overflows, and inf / inf is NaN.
import numpy as np


def softmax(scores):
    out = np.empty(scores.shape, dtype=np.float64)
    for idx in np.ndindex(*scores.shape[:-1]):
        row = [np.exp(float(s)) for s in scores[idx]]
        Z = sum(row)
        out[idx] = [r / Z for r in row]
    return out
