"""Who holds the unknown cards of a history at each step."""

from cardhub.learning.adapters.openspiel_games.hands.known_history import NOBODY, KnownHistory


class Hands:
    """The draws that each player holds at each step.

    A hidden action gives away a number of cards, `count`. The draws of a player are alike for a
    viewer, so those given are the first ones. With `gives_known` it is a card that all know, if
    there is one, which is no draw here. `given` has the draws by the index of the action, together
    for actions of a player in a row.
    """

    def __init__(self, known: KnownHistory, count: int, *, gives_known: bool) -> None:
        self._deck = {draw.at: draw.deck for draw in known.draws}
        self._holder = {draw.at: [(-1, draw.holder)] for draw in known.draws}
        self.given: dict[int, list[int]] = {}
        receivers, waiting = dict(known.receivers), list[tuple[int, int]]()
        for index, player in enumerate(known.players):
            if index not in receivers:
                # Cards that players give one another are received after all have given.
                for draw, receiver in waiting:
                    self._holder[draw].append((index - 1, receiver))
                waiting = []
                continue
            held = sorted(self.of(player, index, known.deck_at(index)))
            gives = held[:count] if not gives_known or receivers[index] != NOBODY else []
            for draw in gives:
                self._holder[draw].append((index, NOBODY))
                waiting.append((draw, receivers[index]))
            is_same = index - 1 in self.given and known.players[index - 1] == player
            self.given[index] = self.given[index - 1] if is_same else []
            self.given[index] += gives

    def of(self, player: int, index: int, deck: int) -> set[int]:
        """Return the draws from a deck that a player holds before a step."""
        return {
            draw
            for draw, number in self._deck.items()
            if number == deck and draw < index and self._at(draw, index) == player
        }

    def _at(self, draw: int, index: int) -> int:
        found = (holder for start, holder in reversed(self._holder[draw]) if start < index)
        return next(found, NOBODY)
