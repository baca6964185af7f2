"""Step 4: the table of the README."""


def max_path_length(layer, n):
    return 1 if layer == "self-attention" else n


def sequential_operations(layer, n):
    return 1 if layer == "self-attention" else n


def complexity_per_layer(layer, n, d):
    return n**2 * d if layer == "self-attention" else n * d**2


def cheaper_layer(n, d):
    return "self-attention" if n < d else "recurrent"


def state_size(layer, n, d):
    return n * d if layer == "self-attention" else d
