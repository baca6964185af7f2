"""Step 3 that forgets to scale."""


def scale_scores(scores, d_k):
    return scores
