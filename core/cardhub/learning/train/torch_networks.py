"""The networks of a training in PyTorch, with the layers of `network.Network`."""

from typing import Any

from cardhub.learning.arrays.alike_rows import ABSENT
from cardhub.learning.arrays.feature_spec import Slots
from cardhub.learning.arrays.learner_slots import LearnerInputs
from cardhub.learning.train.network import ROW_WIDTH, Layer
from cardhub.learning.train.pytorch import nn, torch

# The size of the first weights of sums, for all sums of a row together.
SUM_SIZE = 0.5


def policy_network(inputs: LearnerInputs, width: int, actions: int) -> Any:
    """Return a network that rates actions, near even chances."""
    if inputs.has_rows:
        network: Any = RowNetwork(inputs, width, actions, rates_rows=True)
        last = [network.output, network.of_both]
    else:
        network = _plain_network(len(inputs.slots), width, actions)
        last = [network[-1]]
    with torch.no_grad():
        for layer in last:
            layer.weight.mul_(0.01)
    return network


def critic_network(inputs: LearnerInputs, width: int, seats: int) -> Any:
    """Return a network that estimates the utilities of all seats."""
    if inputs.has_rows:
        return RowNetwork(inputs, width, seats, rates_rows=False)
    return _plain_network(len(inputs.slots), width, seats)


def layers_of(network: Any) -> list[Layer]:
    """Return the weights and biases of a network's layers, in their order."""
    return [
        (_weights(module).detach().numpy().T, module.bias.detach().numpy())
        for module in network.modules()
        if isinstance(module, nn.Linear)
    ]


def _weights(layer: Any) -> Any:
    return layer.all_weights() if isinstance(layer, SumLayer) else layer.weight


def _plain_network(inputs: int, width: int, outputs: int) -> Any:
    return nn.Sequential(
        nn.Linear(inputs, width),
        nn.ReLU(),
        nn.Linear(width, width),
        nn.ReLU(),
        nn.Linear(width, outputs),
    )


class RowNetwork(nn.Module):
    """A network with the same weights for all rows; see `network.Network`.

    `rates_rows`: whether outputs are actions; then each row rates its own actions.
    """

    def __init__(
        self, inputs: LearnerInputs, width: int, outputs: int, *, rates_rows: bool
    ) -> None:
        super().__init__()
        self._slots, self._shape = len(inputs.slots), inputs.rows.shape
        self._present = torch.from_numpy(inputs.present)
        is_action = inputs.actions != ABSENT
        self._is_action = torch.from_numpy(is_action)
        self._actions = torch.from_numpy(inputs.actions[is_action])
        # In the order of the layers of `Network`.
        self.of_rows = SumLayer(inputs.sums, self._shape[1], ROW_WIDTH)
        self.first = nn.Linear(self._slots + 2 * ROW_WIDTH, width)
        self.second = nn.Linear(width, width)
        self.output = nn.Linear(width, outputs)
        self._rates_rows = rates_rows
        if rates_rows:
            self.of_row = nn.Linear(ROW_WIDTH, ROW_WIDTH)
            self.of_whole = nn.Linear(width, ROW_WIDTH)
            self.of_both = nn.Linear(ROW_WIDTH, inputs.actions.shape[1])

    def forward(self, gathered: Any) -> Any:
        """Return the outputs of all rows of a batch."""
        by_row = gathered[:, self._slots :].view(-1, *self._shape) * self._present
        rows = self.of_rows(by_row).relu()
        pooled = torch.cat([gathered[:, : self._slots], rows.sum(1), rows.amax(1)], dim=1)
        whole = self.second(self.first(pooled).relu()).relu()
        output = self.output(whole)
        if not self._rates_rows:
            return output
        both = (self.of_row(rows) + self.of_whole(whole)[:, None]).relu()
        return output.index_copy(1, self._actions, self.of_both(both)[:, self._is_action])


class SumLayer(nn.Linear):
    """A linear layer that also reads sums of its inputs: they only add to its weights in the end.

    `sums`: the weights of the inputs in each sum.
    """

    def __init__(self, sums: Slots, inputs: int, outputs: int) -> None:
        super().__init__(inputs, outputs)
        self._sums = torch.from_numpy(sums)
        size = SUM_SIZE / max(len(sums), 1) ** 0.5
        self.of_sums = nn.Parameter(torch.randn(outputs, len(sums)) * size)

    def all_weights(self) -> Any:
        """Return the weights of the inputs, with what they count in sums."""
        return self.weight + self.of_sums @ self._sums if len(self._sums) else self.weight

    def forward(self, values: Any) -> Any:
        """Return the outputs of all rows of a batch."""
        return nn.functional.linear(values, self.all_weights(), self.bias)
