"""Known wrong answers to step 5: the feed-forward network. What comes first is the more
fundamental; mistakes_step5_block.py and mistakes_step5_norms.py go on."""

from functools import partial

import torch
from step5_block import FeedForward
from torch import nn
from torch.nn import functional

from autograder.grading import mistake

_network = partial(mistake, "block", function="FeedForward")
network_parameters = partial(
    _network,
    kind="parameters of another name or shape",
    symptom="Weights cannot be loaded into your network by name. Which four are asked for?",
    answer="w_1 (d_model, d_hidden), b_1 (d_hidden,), w_2 (d_hidden, d_model), b_2 (d_model,).",
)
no_bias = partial(
    _network,
    kind="bias not added",
    symptom="One of your biases changes nothing. Where does each come in?",
    answer="`x @ w_1 + b_1`, ReLU, `@ w_2 + b_2`.",
)
turned_over = partial(
    _network,
    kind="weights of the network turned over",
    symptom="Which axis of each of your network's weights belongs to what comes in?",
    answer="Rows are what comes in, columns what goes out: `x @ w_1`, without a transpose.",
)
activation = partial(
    _network,
    kind="ReLU missing or misplaced",
    symptom="What stands between your two layers is not one ReLU. Where is it, and which is it?",
    answer="One ReLU, between the layers: `torch.relu(x @ w_1 + b_1) @ w_2 + b_2`.",
)
more_than_a_network = partial(
    _network,
    kind="more than two layers",
    symptom="Your network does more than two layers and a ReLU. Whose work is residual and norm?",
    answer="The block adds and normalises; the network does neither.",
)


@network_parameters()
class LinearLayersForTheNetwork(FeedForward):
    def __init__(self, d_model, d_hidden):
        nn.Module.__init__(self)
        self.layer_1, self.layer_2 = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)

    def forward(self, x):
        return self.layer_2(torch.relu(self.layer_1(x)))


@network_parameters()
class WeightsKeptTransposed(FeedForward):
    def __init__(self, d_model, d_hidden):
        super().__init__(d_hidden, d_model)
        self.b_1, self.b_2 = self.b_2, self.b_1

    def forward(self, x):
        return functional.linear(
            torch.relu(functional.linear(x, self.w_1, self.b_2)), self.w_2, self.b_1
        )


@network_parameters()
class NetworkWithoutBiases(FeedForward):
    def __init__(self, d_model, d_hidden):
        super().__init__(d_model, d_hidden)
        del self.b_1, self.b_2

    def forward(self, x):
        return torch.relu(x @ self.w_1) @ self.w_2


@turned_over()
class NetworkWeightsTurnedOver(FeedForward):
    def forward(self, x):
        hidden = torch.relu(functional.linear(x, self.w_1, self.b_1))
        return functional.linear(hidden, self.w_2, self.b_2)


@turned_over()
class NetworkWeightsExchanged(FeedForward):
    def forward(self, x):
        return torch.relu(x @ self.w_2 + self.b_1) @ self.w_1 + self.b_2


@no_bias(kind="biases exchanged", symptom="Which of your network's biases comes in first?")
class BiasesExchanged(FeedForward):
    def forward(self, x):
        return torch.relu(x @ self.w_1 + self.b_2) @ self.w_2 + self.b_1


@no_bias()
class FirstBiasForgotten(FeedForward):
    def forward(self, x):
        return torch.relu(x @ self.w_1) @ self.w_2 + self.b_2


@no_bias()
class SecondBiasForgotten(FeedForward):
    def forward(self, x):
        return torch.relu(x @ self.w_1 + self.b_1) @ self.w_2


@no_bias()
class FirstBiasAfterTheRelu(FeedForward):
    def forward(self, x):
        return (torch.relu(x @ self.w_1) + self.b_1) @ self.w_2 + self.b_2


@activation()
class NoActivation(FeedForward):
    def forward(self, x):
        return (x @ self.w_1 + self.b_1) @ self.w_2 + self.b_2


@activation()
class GeluForRelu(FeedForward):
    def forward(self, x):
        return functional.gelu(x @ self.w_1 + self.b_1) @ self.w_2 + self.b_2


@activation()
class LeakyRelu(FeedForward):
    def forward(self, x):
        return functional.leaky_relu(x @ self.w_1 + self.b_1) @ self.w_2 + self.b_2


@activation()
class ReluAtTheEndToo(FeedForward):
    def forward(self, x):
        return torch.relu(super().forward(x))


@activation()
class ReluAtTheBeginning(FeedForward):
    def forward(self, x):
        return (torch.relu(x) @ self.w_1 + self.b_1) @ self.w_2 + self.b_2


@activation()
class SoftmaxForRelu(FeedForward):
    def forward(self, x):
        return torch.softmax(x @ self.w_1 + self.b_1, dim=-1) @ self.w_2 + self.b_2


@more_than_a_network()
class NetworkAddsItsInput(FeedForward):
    def forward(self, x):
        return x + super().forward(x)


@more_than_a_network()
class NetworkNormalisesItsInput(FeedForward):
    def forward(self, x):
        return super().forward(functional.layer_norm(x, x.shape[-1:]))


@more_than_a_network(
    kind="tokens mixed in the network",
    symptom="In your network tokens see each other. Over which axis does something sum or average?",
    answer="`x @ w` works on the last axis alone.",
)
class NetworkSubtractsTheMeanToken(FeedForward):
    def forward(self, x):
        return super().forward(x - x.mean(dim=-2, keepdim=True))


@more_than_a_network(
    kind="writes into its argument",
    symptom="After a call the tokens are not what they were. Which line changes them?",
    answer="Make a new tensor; `relu_` and `+=` write into the old one.",
)
class NetworkChangesItsInput(FeedForward):
    def forward(self, x):
        output = super().forward(x)
        x.relu_()
        return output


@more_than_a_network(
    kind="gradients cut off",
    symptom=(
        "No gradient comes to some of your weights. Which call takes a tensor out of the graph?"
    ),
    answer="Leave out `detach`, `.data` and `torch.no_grad()`.",
)
class NetworkCutInTheMiddle(FeedForward):
    def forward(self, x):
        hidden = torch.relu(x @ self.w_1 + self.b_1).detach()
        return hidden @ self.w_2 + self.b_2
