"""Step 5: attention moves between tokens, a small network works within each, and both only add.

Conventions: one token is one ROW of x; a mask is boolean, True = may attend; "..." is any number of
leading batch axes, none included.
"""

import math

import torch
from step3_multi_head import MultiHeadAttention
from torch import Tensor, nn


class FeedForward(nn.Module):
    """Two layers with a ReLU between, the same for every token, each token by itself.

    Attention only mixes, with weights that sum to 1; what is made of the mixture is worked out here
    (Vaswani et al. 2017, section 3.3).

        FFN(x) = max(0, x W_1 + b_1) W_2 + b_2

    The parameters are used as `x @ w + b`. What they are filled with at first is up to you.

    Args:
        d_model: width of a token.
        d_hidden: width between the layers, as a rule several times d_model.

    Attributes:
        w_1: (d_model, d_hidden), the weights of the first layer.
        b_1: (d_hidden,), its bias.
        w_2: (d_hidden, d_model), the weights of the second layer.
        b_2: (d_model,), its bias.
    """

    def __init__(self, d_model: int, d_hidden: int) -> None:
        super().__init__()
        # BEGIN SOLUTION
        self.w_1 = nn.Parameter(torch.randn(d_model, d_hidden) / math.sqrt(d_model))
        self.b_1 = nn.Parameter(torch.zeros(d_hidden))
        self.w_2 = nn.Parameter(torch.randn(d_hidden, d_model) / math.sqrt(d_hidden))
        self.b_2 = nn.Parameter(torch.zeros(d_model))
        # END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        """Work on each token by itself.

        The argument's values are not modified; the result has the dtype and the device of x.

        Args:
            x: (..., n, d_model), one token a row.

        Returns:
            (..., n, d_model), one token a row.
        """
        # BEGIN SOLUTION
        hidden = torch.relu(x @ self.w_1 + self.b_1)  # (..., n, d_hidden)
        return hidden @ self.w_2 + self.b_2  # (..., n, d_model)
        # END SOLUTION


class EncoderBlock(nn.Module):
    """One layer of a transformer: attention, then the network, each on normalised tokens.

    What comes in is carried on and both parts only add to it, so a gradient has a way past them,
    however many blocks are stacked. Normalising the input of each part, and not the sum (pre-norm),
    keeps that way clear (Vaswani et al. 2017, section 3.1; Xiong et al. 2020, section 3).

        y = x + attention(norm_1(x))
        output = y + feed_forward(norm_2(y))

    A norm has weight, bias and an eps of 1e-5 (nn.LayerNorm is allowed). For the same weights it
    agrees with torch's nn.TransformerEncoderLayer with norm_first=True, ReLU and no dropout.

    Args:
        d_model: width of a token.
        num_heads: how many heads; d_model is divisible by it.
        d_hidden: width inside the feed-forward network.

    Attributes:
        norm_1: the norm before the attention.
        attention: a MultiHeadAttention.
        norm_2: the norm before the network.
        feed_forward: a FeedForward.

    Raises:
        ValueError: d_model is not divisible by num_heads.
    """

    def __init__(self, d_model: int, num_heads: int, d_hidden: int) -> None:
        super().__init__()
        # BEGIN SOLUTION
        self.norm_1 = nn.LayerNorm(d_model, eps=1e-5)
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm_2 = nn.LayerNorm(d_model, eps=1e-5)
        self.feed_forward = FeedForward(d_model, d_hidden)
        # END SOLUTION

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """Add to every token what it takes from the others, then what it works out by itself.

        The arguments' values are not modified; the result has the dtype and the device of x.

        Args:
            x: (..., n, d_model), one token a row.
            mask: boolean, (n, n) or (..., 1 or n, n); True = may attend; None: all may.

        Returns:
            (..., n, d_model), one token a row.
        """
        # BEGIN SOLUTION
        x = x + self.attention(self.norm_1(x), mask)  # (..., n, d_model)
        return x + self.feed_forward(self.norm_2(x))  # (..., n, d_model)
        # END SOLUTION
