"""The network of a trained bot: small, and played with numpy alone."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from cardhub.base.errors import BotError
from cardhub.learning.arrays import Mask, Slots
from cardhub.learning.arrays.alike_rows import ABSENT
from cardhub.learning.arrays.alike_sites import AlikeSites, SiteSlots
from cardhub.learning.arrays.learner_slots import LearnerInputs, from_first
from cardhub.learning.learn.model_file import ValuingPolicy

Weights = NDArray[np.float32]
# The weights and the biases of a layer.
Layer = tuple[Weights, Weights]

# The type of the numbers in files, and the greatest size of a file in bytes. In large games weights
# have one byte, with a scale for each output: a game can ship networks for several tables.
STORED = np.dtype("<f2")
MOST_BYTES = 1_000_000
MOST_IN_BYTE = 127
# The start of the names of the scales in a file.
SCALES = "scales_of_"
# Widths of the hidden layers, of which the greatest that fits into a file is used. Arrays of few
# slots need less.
WIDTHS = (256, 192, 128, 96, 64)
SMALL_WIDTH, SMALL_ARRAY = 128, 256
# The greatest width of the critic.
CRITIC_WIDTH = 128
# The start of the names of the critic's layers in a file.
CRITIC = "critic_"
# The names in a file of the margin's weight, and of the slots by seat.
STANDING = "standing"
TURNS = ("observed", "true_states")
# The start of the names of what belongs to sites.
SITE = "site_"
# In networks with rows: the width of what is known of a row, and the number of the last layers,
# which rate actions of rows: of the row, of the whole, and of both.
ROW_WIDTH, ROW_LAYERS = 64, 3
# The player never takes an action with less than this share of the most probable action: training
# explores with it, and play needs no exploration. In a large game one action is best in most
# positions, and little training has brought it far ahead; searches still look at the others.
LEAST_SHARE, LARGE_LEAST_SHARE = 0.05, 0.3


class PlayerLayers(NamedTuple):
    """The layers of a player: its policy, and the critic that estimates the seats' utilities.

    `standing`: what the margin by present scores counts beside the critic's estimate.
    """

    policy: Sequence[Layer]
    critic: Sequence[Layer] = ()
    standing: float = 0.0

    def copied(self) -> "PlayerLayers":
        """Return layers that do not change when the training goes on."""
        policy, critic = (
            [(w.copy(), b.copy()) for w, b in layers] for layers in (self.policy, self.critic)
        )
        return self._replace(policy=policy, critic=critic)

    def arrays(self) -> dict[str, Weights]:
        """Return the layers as named arrays."""
        arrays = {STANDING: np.array(self.standing, np.float32)} if self.standing else {}
        for start, layers in (("", self.policy), (CRITIC, self.critic)):
            for number, (weights, biases) in enumerate(layers):
                arrays[f"{start}weights_{number}"] = weights
                arrays[f"{start}biases_{number}"] = biases
        return arrays

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[Any]]) -> "PlayerLayers":
        """Return the layers that `arrays` returned, among other arrays or without a critic."""
        policy, critic = (
            [
                (
                    _read_weights(arrays, f"{start}weights_{number}"),
                    arrays[f"{start}biases_{number}"].astype(np.float32),
                )
                for number in range(sum(name.startswith(f"{start}weights_") for name in arrays))
            ]
            for start in ("", CRITIC)
        )
        return cls(policy, critic, float(arrays.get(STANDING, 0)))


class Network(ValuingPolicy):
    """A policy with hidden layers over some slots of a layout, and a critic of states.

    Rows go through a first layer with the same weights; its sums and greatest values over all rows
    are inputs of the others. Actions of a row are rated by the row and by the whole. Sites go
    through a second layer as well, which reads a site with its groups and its neighbours.
    """

    def __init__(
        self,
        inputs: LearnerInputs,
        policy: Sequence[Layer],
        critic: Sequence[Layer] = (),
        standing: float = 0.0,
    ) -> None:
        self._inputs = inputs
        self._policy = policy
        self._critic = critic
        self._standing = np.float32(standing)
        is_small = len(inputs.gathered) <= SMALL_ARRAY
        self._least_share = LEAST_SHARE if is_small else LARGE_LEAST_SHARE

    @override
    def __call__(self, observations: Slots, masks: Mask, /) -> NDArray[np.float32]:
        """Return a row of probabilities for each observation."""
        return self._shares(observations, masks, self._least_share)

    @override
    def priors(self, observations: Slots, masks: Mask, /) -> NDArray[np.float32]:
        return self._shares(observations, masks, LEAST_SHARE)

    def _shares(self, observations: Slots, masks: Mask, least: float) -> NDArray[np.float32]:
        """Return probabilities, 0 for less than a share of the most probable action."""
        inputs = self._inputs.of_observations(observations)
        logits = np.where(masks, self._output(self._policy, inputs), -np.inf)
        shares: NDArray[np.float32] = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares[shares < least] = 0
        shares /= shares.sum(axis=1, keepdims=True)
        return shares

    @override
    def utilities(self, states: Slots, /) -> NDArray[np.float32]:
        if not self._critic:
            raise BotError(
                "the network was trained without values, which a search needs. "
                "fix: go on with its training"
            )
        inputs = self._inputs.of_states(states)
        values = self._output(self._critic, inputs)
        values += self._standing * margins_in(inputs, self._inputs)
        return from_first(values, self._inputs.acting(states))

    def _output(self, layers: Sequence[Layer], gathered: Slots) -> Weights:
        inputs = self._inputs
        if not inputs.has_rows:
            return _linear(layers[-1], _hidden(layers[:-1], gathered))
        values, by_row, beyond = np.split(gathered, inputs.ends, axis=1)
        by_row = by_row.reshape(len(by_row), *inputs.row_shape) * inputs.present
        of_rows, *others = layers
        rows = _hidden([of_rows], by_row)
        if inputs.sites:
            of_groups, *others = others
            rows = _hidden([of_groups], _with_groups(rows, inputs.sites, beyond))
        pooled = np.concatenate([values, rows.sum(axis=1), rows.max(axis=1)], axis=1)
        rates_rows = len(others) > ROW_LAYERS + 1
        last = len(others) - 1 - (ROW_LAYERS if rates_rows else 0)
        whole = _hidden(others[:last], pooled)
        output = _linear(others[last], whole)
        if rates_rows:
            of_row, of_whole, of_both = others[-ROW_LAYERS:]
            both = np.maximum(_linear(of_row, rows) + _linear(of_whole, whole)[:, np.newaxis], 0)
            _rate_rows(output, _linear(of_both, both), inputs, beyond)
        return output


def _with_groups(rows: Slots, sites: AlikeSites, beyond: Slots) -> Slots:
    """Return the rows of sites, with their sums over the groups of each field and over neighbours.

    `beyond`: the numbers that follow those of sites.
    """
    _, *groups = np.split(beyond, 1 + sites.fields, axis=1)
    sums = [(group[:, :, None] == group[:, None]).astype(np.float32) @ rows for group in groups]
    return np.concatenate([rows, *sums, sites.near @ rows], axis=2)


def width_with_groups(sites: AlikeSites) -> int:
    """Return how many numbers the second layer of sites reads at each of them."""
    return ROW_WIDTH * (2 + sites.fields)


def _rate_rows(output: Slots, ratings: Slots, inputs: LearnerInputs, beyond: Slots) -> None:
    """Write the ratings of each row's actions into the ratings of all actions.

    `beyond`: what follows the rows; for sites, it begins with the face on top of each site.
    """
    is_action, fixed = inputs.actions != ABSENT, inputs.actions.shape[1]
    output[:, inputs.actions[is_action]] = ratings[..., :fixed][:, is_action]
    if inputs.sites:
        tops = beyond[:, : inputs.sites.sites].astype(np.intp)
        arrays, sites = (tops != ABSENT).nonzero()
        actions = inputs.sites.slots.on_top[tops[arrays, sites]]
        output[arrays[:, np.newaxis], actions] = ratings[arrays, sites, fixed:]


def margins_in(values: Slots, inputs: LearnerInputs) -> Slots:
    """Return the differences of the seats' scores from their mean; 0 without such inputs."""
    if not inputs.scores.size:
        return np.zeros((*values.shape[:-1], 1), np.float32)
    scores = values[..., inputs.scores]
    margins: Slots = scores - scores.mean(axis=-1, keepdims=True)
    return margins


def _linear(layer: Layer, values: Slots) -> Weights:
    weights, biases = layer
    output: Weights = values @ weights + biases
    return output


def _hidden(layers: Sequence[Layer], values: Slots) -> Slots:
    for layer in layers:
        values = np.maximum(_linear(layer, values), 0)
    return values


def pack(inputs: LearnerInputs, layers: PlayerLayers) -> bytes:
    """Return the bytes of a network."""
    arrays: dict[str, Any] = {"slots": inputs.slots.astype("<i4")}
    if inputs.sites:
        slots = inputs.sites.slots._asdict()
        arrays |= {SITE + name: numbers.astype("<i4") for name, numbers in slots.items()}
    elif inputs.has_rows:
        arrays |= {"rows": inputs.rows.astype("<i4"), "actions": inputs.actions.astype("<i4")}
    if inputs.turns is not None:
        arrays |= {
            name: turns.astype("<i4") for name, turns in zip(TURNS, inputs.turns, strict=True)
        }
    if layers.standing:
        arrays["scores"] = inputs.scores.astype("<i4")
    is_large = len(inputs.gathered) > SMALL_ARRAY
    for name, array in layers.arrays().items():
        if is_large and "weights_" in name:
            arrays[name], arrays[SCALES + name] = _in_bytes(array)
        else:
            arrays[name] = array.astype(STORED)
    file = BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def _in_bytes(weights: Weights) -> tuple[NDArray[np.int8], NDArray[Any]]:
    """Return weights as numbers of one byte, and what 1 stands for in each column."""
    scales = (np.abs(weights).max(axis=0) / MOST_IN_BYTE).astype(STORED)
    # A column of weights too small for a scale has none.
    divisors = np.where(scales > 0, scales, np.inf).astype(np.float32)
    numbers = np.rint(weights / divisors).clip(-MOST_IN_BYTE, MOST_IN_BYTE)
    return numbers.astype(np.int8), scales


def _read_weights(arrays: Mapping[str, NDArray[Any]], name: str) -> Weights:
    weights: Weights = arrays[name].astype(np.float32)
    return (
        weights * arrays[SCALES + name].astype(np.float32) if SCALES + name in arrays else weights
    )


def load(data: bytes) -> Network:
    """Return the network that `pack` wrote; raises BotError."""
    # Without pickles, which could run code: a file of numbers is safe to load.
    with np.load(BytesIO(data), allow_pickle=False) as arrays:
        read = {
            name: arrays[name].astype(np.intp)
            for name in ("slots", "rows", "actions", "scores", *TURNS)
            if name in arrays
        }
        observed, true_states = map(read.get, TURNS)
        sites = _sites_in(arrays)
        inputs = LearnerInputs(
            read["slots"],
            read.get("rows"),
            sites.slots.actions if sites else read.get("actions"),
            turns=None if observed is None or true_states is None else (observed, true_states),
            scores=read.get("scores"),
            sites=sites,
        )
        layers = PlayerLayers.of(arrays)
    size = inputs.row_shape[1] if inputs.has_rows else len(inputs.slots)
    if not layers.policy or any(
        size != len(part[0][0]) for part in (layers.policy, layers.critic) if part
    ):
        raise BotError("the network has no layer for its slots")
    return Network(inputs, *layers)


def _sites_in(arrays: Mapping[str, NDArray[Any]]) -> AlikeSites | None:
    if SITE + SiteSlots._fields[0] not in arrays:
        return None
    return AlikeSites(
        SiteSlots(**{name: arrays[SITE + name].astype(np.intp) for name in SiteSlots._fields})
    )


def hidden_width(inputs: LearnerInputs, actions: int) -> int:
    """Return the width of the policy's hidden layers."""
    slots = inputs.ends[0] + (2 * ROW_WIDTH if inputs.has_rows else 0)
    critic = (slots + CRITIC_WIDTH) * CRITIC_WIDTH
    if len(inputs.gathered) <= SMALL_ARRAY:
        return SMALL_WIDTH
    return next(
        (
            width
            for width in WIDTHS
            if ((slots + width + actions) * width + critic) * STORED.itemsize < MOST_BYTES
        ),
        WIDTHS[-1],
    )
