"""Known wrong answers to step 4, function by function. What comes first is the more fundamental."""

import math

from autograder.grading import mistake

ATTENTION = "self-attention"

exchanged = {
    "kind": "attention and recurrence exchanged",
    "symptom": "What you say of the one layer holds for the other. In which of them does a token "
    "have to wait for all tokens before it?",
    "answer": "Recurrence is the chain; self-attention compares all pairs of tokens at once.",
}
of_decoding = {
    "kind": "counts the making of a text",
    "symptom": "You count one step for each token in both layers. Is the text given, or is it made "
    "token by token?",
    "answer": "One layer over a given text: 1 for self-attention, n for recurrence.",
}
off_by_some = {
    "kind": "counts something between the tokens",
    "symptom": "Your count for the chain is not the number of tokens. Where does a way begin and "
    "end, and what is one step of it?",
    "answer": "From the first token's input to the last state there are n steps, one a token.",
}
another_term = {
    "kind": "another leading term",
    "symptom": "Your number does not grow with n and d as the products do that mix tokens. What is "
    "multiplied for each pair of tokens, and what for each token?",
    "answer": "n² pairs times d numbers, and n tokens times a d × d matrix.",
}
another_state = {
    "kind": "another state",
    "symptom": "What you count is not what is there for the next token. What does a layer keep of "
    "what it has read, and does that grow with the text?",
    "answer": "Self-attention keeps n tokens of d numbers, recurrence one state of d numbers.",
}


@mistake("costs", function="max_path_length", **exchanged)
def paths_exchanged(layer, n):
    return n if layer == ATTENTION else 1


@mistake("costs", function="max_path_length", **of_decoding)
def a_long_path_in_both(layer, n):
    return n


@mistake("costs", function="max_path_length", **off_by_some)
def one_step_fewer(layer, n):
    return 1 if layer == ATTENTION else n - 1


@mistake("costs", function="max_path_length", **off_by_some)
def logarithm_of_the_tokens(layer, n):
    return 1 if layer == ATTENTION else max(1, math.ceil(math.log2(n)))


@mistake("costs", function="max_path_length", **off_by_some)
def no_step_at_all(layer, n):
    return 0 if layer == ATTENTION else n


@mistake("costs", function="sequential_operations", **exchanged)
def waiting_exchanged(layer, n):
    return n if layer == ATTENTION else 1


@mistake("costs", function="sequential_operations", **of_decoding)
def waiting_in_both(layer, n):
    return n


@mistake("costs", function="sequential_operations", **off_by_some)
def one_operation_fewer(layer, n):
    return 1 if layer == ATTENTION else n - 1


@mistake("costs", function="sequential_operations", **off_by_some)
def two_products_in_a_row(layer, n):
    return 2 if layer == ATTENTION else 2 * n


@mistake("costs", function="complexity_per_layer", **exchanged)
def terms_exchanged(layer, n, d):
    return n * d**2 if layer == ATTENTION else n**2 * d


@mistake("costs", function="complexity_per_layer", **another_term)
def pairs_without_their_width(layer, n, d):
    return n**2 if layer == ATTENTION else n * d**2


@mistake("costs", function="complexity_per_layer", **another_term)
def tokens_times_width(layer, n, d):
    return n**2 * d if layer == ATTENTION else n * d


@mistake("costs", function="complexity_per_layer", **another_term)
def pairs_times_a_matrix(layer, n, d):
    return n**2 * d**2 if layer == ATTENTION else n * d**2


@mistake("costs", function="complexity_per_layer", **another_term)
def projections_counted_as_well(layer, n, d):
    return 2 * n**2 * d + 3 * n * d**2 if layer == ATTENTION else 2 * n * d**2


cheaper_wrong = {
    "kind": "the dearer layer",
    "symptom": "You name the layer with the larger leading term. Which of n²·d and n·d² is smaller "
    "for a long text of narrow tokens?",
    "answer": "n²·d < n·d² exactly where n < d: then self-attention is cheaper.",
}


@mistake("costs", function="cheaper_layer", **cheaper_wrong)
def the_larger_term(n, d):
    return ATTENTION if n > d else "recurrent"


@mistake("costs", function="cheaper_layer", **cheaper_wrong)
def always_attention(n, d):
    return ATTENTION


@mistake("costs", function="cheaper_layer", **cheaper_wrong)
def always_recurrence(n, d):
    return "recurrent"


@mistake(
    "costs",
    function="cheaper_layer",
    kind="another name",
    symptom="Your answer is none of the two names of layers. How are they written?",
    answer='The names are "self-attention" and "recurrent".',
)
def names_of_ones_own(n, d):
    return "attention" if n < d else "rnn"


@mistake("costs", function="state_size", **exchanged)
def states_exchanged(layer, n, d):
    return d if layer == ATTENTION else n * d


@mistake("costs", function="state_size", **another_state)
def a_state_for_each_token(layer, n, d):
    return n * d


@mistake("costs", function="state_size", **another_state)
def one_vector_in_both(layer, n, d):
    return d


@mistake("costs", function="state_size", **another_state)
def the_weights_counted(layer, n, d):
    return n * d if layer == ATTENTION else d**2


@mistake("costs", function="state_size", **another_state)
def tokens_without_their_width(layer, n, d):
    return n if layer == ATTENTION else 1
