"""Step 3 is not written yet: still the stub."""


def scale_scores(scores, d_k):
    raise NotImplementedError("step 3: scale_scores")
