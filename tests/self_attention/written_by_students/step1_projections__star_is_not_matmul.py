# The cause: * multiplies number by number, where a matrix product is meant.
import numpy as np

def multiply(A, B):
    return A * B

def project_qkv(x, w_q, w_k, w_v):
    Q = multiply(x, w_q)
    K = multiply(x, w_k)
    V = multiply(x, w_v)
    # print(Q.shape, K.shape, V.shape)
    return Q, K, V
