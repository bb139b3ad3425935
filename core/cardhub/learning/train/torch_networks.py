"""The networks of a training in PyTorch, with the layers of `network.Network`."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from typing_extensions import override

from cardhub.learning.arrays.alike_rows import ABSENT
from cardhub.learning.arrays.learner_slots import LearnerInputs
from cardhub.learning.train.network import ROW_WIDTH, SMALL_ARRAY, Layer, width_with_groups
from cardhub.learning.train.pytorch import nn, torch

# The size of the first weights of sums, for all sums of a row together.
SUM_SIZE = 0.5
# In floats of 16 bits the numbers up to this one are exact.
MOST_EXACT = 256
# Names of what a processor needs to multiply floats of 16 bits, as PyTorch lists it.
SHORT_PRODUCTS = ("avx512_bf16", "amx_bf16")


def factor_type(inputs: LearnerInputs) -> Any:
    """Return the type of the numbers that hidden layers multiply.

    With floats of 16 bits, large layers take half the time, where the processor has them. A mixed
    strategy for a small game needs exact products more than it needs time.
    """
    has_faces = inputs.sites is not None and inputs.sites.faces > MOST_EXACT
    is_short = len(inputs.gathered) > SMALL_ARRAY and not has_faces and _has_short_products()
    return torch.bfloat16 if is_short else torch.float32


def _has_short_products() -> bool:
    # Older versions of PyTorch cannot say it.
    list_capabilities: Any = getattr(torch.cpu, "get_capabilities", dict)
    capabilities: Mapping[str, Any] = list_capabilities()
    return any(capabilities.get(name) for name in SHORT_PRODUCTS)


def policy_network(inputs: LearnerInputs, width: int, actions: int) -> Any:
    """Return a network that rates actions, near even chances."""
    if inputs.has_rows:
        network: Any = RowNetwork(inputs, width, actions, rates_rows=True)
        last = [network.output, network.of_both]
    else:
        network = _plain_network(inputs, width, actions)
        last = [network[-1]]
    with torch.no_grad():
        for layer in last:
            layer.weight.mul_(0.01)
    return network


def critic_network(inputs: LearnerInputs, width: int, seats: int) -> Any:
    """Return a network that estimates the utilities of all seats."""
    if inputs.has_rows:
        return RowNetwork(inputs, width, seats, rates_rows=False)
    return _plain_network(inputs, width, seats)


def layers_of(network: Any) -> list[Layer]:
    """Return the weights and biases of a network's layers, in their order."""
    return [
        (_weights(module).detach().numpy().T, module.bias.detach().numpy())
        for module in network.modules()
        if isinstance(module, nn.Linear)
    ]


def _weights(layer: Any) -> Any:
    return layer.all_weights() if isinstance(layer, HiddenLayer) else layer.weight


class HiddenLayer(nn.Linear):
    """A layer that multiplies numbers of another type than its weights, which are learned."""

    def __init__(self, inputs: int, outputs: int, factors: Any) -> None:
        super().__init__(inputs, outputs)
        self._factors = factors

    @override
    def forward(self, values: Any) -> Any:
        """Return the outputs of all rows of a batch."""
        weights, bias = self.all_weights().to(self._factors), self.bias.to(self._factors)
        if bias.dim() > 1:
            return nn.functional.linear(values.to(self._factors), weights) + bias
        return nn.functional.linear(values.to(self._factors), weights, bias)

    def all_weights(self) -> Any:
        """Return the weights of the inputs."""
        return self.weight


class OutputLayer(nn.Linear):
    """A layer whose outputs are exact, whatever the type of its inputs."""

    @override
    def forward(self, values: Any) -> Any:
        return super().forward(values.float())


def _plain_network(inputs: LearnerInputs, width: int, outputs: int) -> Any:
    factors = factor_type(inputs)
    return nn.Sequential(
        HiddenLayer(len(inputs.slots), width, factors),
        nn.ReLU(),
        HiddenLayer(width, width, factors),
        nn.ReLU(),
        OutputLayer(width, outputs),
    )


class RowNetwork(nn.Module):
    """A network with the same weights for all rows; see `network.Network`.

    `rates_rows`: whether outputs are actions; then each row rates its own actions.
    """

    def __init__(
        self, inputs: LearnerInputs, width: int, outputs: int, *, rates_rows: bool
    ) -> None:
        super().__init__()
        (self._outside, self._end), self._shape = inputs.ends, inputs.row_shape
        factors = factor_type(inputs)
        self._present = torch.from_numpy(inputs.present).to(factors)
        is_action = inputs.actions != ABSENT
        self._is_action = torch.from_numpy(is_action)
        self._actions = torch.from_numpy(inputs.actions[is_action])
        self._on_top = _padded_actions(inputs, outputs) if inputs.sites else None
        # In the order of the layers of `Network`.
        self.of_rows = SumLayer(inputs, ROW_WIDTH, factors)
        self._sites = inputs.sites
        if inputs.sites:
            self.of_groups = HiddenLayer(width_with_groups(inputs.sites), ROW_WIDTH, factors)
            self._near = torch.from_numpy(inputs.sites.near).to(factors)
        self.first = HiddenLayer(self._outside + 2 * ROW_WIDTH, width, factors)
        self.second = HiddenLayer(width, width, factors)
        self.output = OutputLayer(width, outputs)
        self._rates_rows = rates_rows
        if rates_rows:
            self.of_row = HiddenLayer(ROW_WIDTH, ROW_WIDTH, factors)
            self.of_whole = HiddenLayer(width, ROW_WIDTH, factors)
            self.of_both = OutputLayer(ROW_WIDTH, inputs.rated)

    def forward(self, gathered: Any) -> Any:
        """Return the outputs of all rows of a batch."""
        outside, by_row = gathered[:, : self._outside], gathered[:, self._outside : self._end]
        rows = self.of_rows(by_row.reshape(-1, *self._shape) * self._present).relu()
        if self._sites:
            tops, *groups = gathered[:, self._end :].split(self._sites.sites, dim=1)
            rows = self.of_groups(self._with_groups(rows, groups)).relu()
        pooled = torch.cat([outside, rows.sum(1), rows.amax(1)], dim=1)
        whole = self.second(self.first(pooled).relu()).relu()
        output = self.output(whole)
        if not self._rates_rows:
            return output
        both = (self.of_row(rows) + self.of_whole(whole)[:, None]).relu()
        ratings, fixed = self.of_both(both), self._is_action.shape[1]
        of_rows = ratings[..., :fixed][:, self._is_action]
        output = output.index_copy(1, self._actions, of_rows)
        if self._on_top is None:
            return output
        # The last column is for actions on the cards of sites without a card.
        actions = self._on_top[tops.long()].flatten(1)
        output = torch.cat([output, output.new_zeros(len(output), 1)], dim=1)
        return output.scatter(1, actions, ratings[..., fixed:].flatten(1))[:, :-1]

    def _with_groups(self, rows: Any, groups: Sequence[Any]) -> Any:
        """Return the rows, with their sums over the groups of each field and over neighbours."""
        sums = [
            (of_field[:, :, None] == of_field[:, None]).to(rows.dtype) @ rows for of_field in groups
        ]
        return torch.cat([rows, *sums, self._near @ rows], dim=2)


def _padded_actions(inputs: LearnerInputs, last: int) -> Any:
    """Return the actions of each face on top of a site, and `last` for a site without a card."""
    assert inputs.sites is not None
    return torch.from_numpy(
        np.pad(inputs.sites.slots.on_top, ((0, 1), (0, 0)), constant_values=last)
    )


class SumLayer(HiddenLayer):
    """A hidden layer of rows that also reads sums: they only add to its weights in the end.

    If rows differ, it has other biases for each row.
    """

    def __init__(self, inputs: LearnerInputs, outputs: int, factors: Any) -> None:
        sums, (rows, columns) = inputs.sums, inputs.row_shape
        super().__init__(columns, outputs, factors)
        if inputs.differ:
            biases = self.get_parameter("bias").detach().repeat(rows, 1)
            self.register_parameter("bias", nn.Parameter(biases))
        self._sums = torch.from_numpy(sums)
        size = SUM_SIZE / max(len(sums), 1) ** 0.5
        self.of_sums = nn.Parameter(torch.randn(outputs, len(sums)) * size)

    @override
    def all_weights(self) -> Any:
        """Return the weights of the inputs, with what they count in sums."""
        return self.weight + self.of_sums @ self._sums if len(self._sums) else self.weight
