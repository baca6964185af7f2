"""Step 4: what each layer costs, as the lesson's comparison has it.

Conventions: layer is "self-attention" or "recurrent"; n tokens of d numbers each, both at least 1;
a cost is its leading term with the factor 1, a whole number of Python's.
"""


def max_path_length(layer: str, n: int) -> int:
    """The most steps that lie between any two of n tokens, from the first's input to an output.

    The shorter the path, the easier it is to learn what depends on far tokens (Vaswani et al.
    2017, section 4 and table 1).

    Args:
        layer: "self-attention" or "recurrent".
        n: the number of tokens.

    Returns:
        a whole number of steps; a token's own output is one step away from it.
    """
    raise NotImplementedError("step 4: max_path_length")


def sequential_operations(layer: str, n: int) -> int:
    """The least number of operations that have to wait for each other, in one layer.

    However many processors there are, these cannot be done at the same time (Vaswani et al. 2017,
    section 4 and table 1).

    Args:
        layer: "self-attention" or "recurrent".
        n: the number of tokens.

    Returns:
        a whole number of steps, each of them a few matrix products.
    """
    raise NotImplementedError("step 4: sequential_operations")


def complexity_per_layer(layer: str, n: int, d: int) -> int:
    """The leading term of the multiplications that mix tokens, in one layer.

    The projections of the tokens are common to both and left out, and so are constant factors
    (Vaswani et al. 2017, section 4 and table 1).

    Args:
        layer: "self-attention" or "recurrent".
        n: the number of tokens.
        d: the width of tokens, keys, values and state.

    Returns:
        a whole number of multiplications.
    """
    raise NotImplementedError("step 4: complexity_per_layer")


def cheaper_layer(n: int, d: int) -> str:
    """The layer with the smaller leading term; where both are equal, either of them.

    Args:
        n: the number of tokens.
        d: the width of tokens, keys, values and state.

    Returns:
        "self-attention" or "recurrent".
    """
    raise NotImplementedError("step 4: cheaper_layer")


def state_size(layer: str, n: int, d: int) -> int:
    """How many numbers of n tokens read so far the layer passes on to the next token.

    The information bottleneck: a recurrent layer has one state, however long the text was; to a
    query of self-attention the tokens themselves are there (lesson; Cho et al. 2014, for what it
    did to long sentences).

    Args:
        layer: "self-attention" or "recurrent".
        n: the number of tokens read so far.
        d: the width of tokens, keys, values and state.

    Returns:
        a whole number of numbers.
    """
    raise NotImplementedError("step 4: state_size")
