"""Search bots: their answers, principal lines, and the information that they must not use."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from threading import Timer
from time import monotonic, process_time
from typing import Any

import pytest
from tests.kit.waiting import PATIENCE

from cardhub.base.errors import BotIllegalError, OptionError
from cardhub.bots import Adviser, Comparer, Interruptible, Rated, Searcher
from cardhub.bots.asking import advise, compare, visits_of
from cardhub.bots.search.search_bot import SearchBot
from cardhub.model.hidden.observation import Observation
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import play_out, set_up
from cardhub.plugins.registry import find_plugins

REGISTRY = find_plugins()


def referee_of(name: str, seed: int, seats: int = 2, **options: Any) -> Referee[Any]:
    """Return a game with its cards dealt."""
    players = [Player(f"player {seat}", "bot") for seat in range(seats)]
    referee = set_up(REGISTRY.game(name), players, options, seed)
    referee.proceed()
    return referee


def search(spec: str, game: str, seed: int = 1) -> SearchBot:
    """Return a bot that searches."""
    bot = REGISTRY.make_bot(spec, game, Random(seed))
    assert isinstance(bot, SearchBot)
    return bot


def advice(spec: str, referee: Referee[Any], seed: int = 1) -> list[Rated]:
    """Return a new bot's ratings of the legal actions."""
    return search(spec, referee.game.name, seed).advise(referee.observe(referee.seat))


def choose(referee: Referee[Any], label: str) -> None:
    """Carry out the action of that label."""
    labels = referee.observe(referee.seat).labels()
    referee.apply(labels.parse(label, referee.observe(referee.seat).legal()))


def kuhn_after_bet(card: str) -> Observation[Any]:
    """Return the observation of Kuhn poker's second player with a card, after a bet."""
    for seed in range(100):
        referee = referee_of("kuhn", seed)
        choose(referee, "bet")
        observation = referee.observe(1)
        (token,) = observation.state.hand[1]
        if observation.labels().card(token) == card:
            return observation
    raise AssertionError(card)


@pytest.mark.parametrize(("card", "answer"), [("K", "call"), ("J", "fold")])
def test_the_best_and_the_worst_card_of_kuhn_poker_play_themselves(card: str, answer: str) -> None:
    """The king calls a bet, the jack folds."""
    observation = kuhn_after_bet(card)
    best = search("ismcts:300", "kuhn").advise(observation)[0]
    assert observation.labels().label(best.action) == answer


def test_a_choice_that_wins_the_game_is_found() -> None:
    """Garner has perfect information: plain tree search over whole turns."""
    for seed in range(3):
        referee = referee_of("garner", seed, layout="a")
        rng = Random(seed)
        while len(referee.observe(referee.seat).history) < 20:
            referee.apply(rng.choice(referee.observe(referee.seat).legal()))
        while not referee.is_over:
            observation = referee.observe(referee.seat)
            wins = [a for a in observation.legal() if is_won_by(referee, a)]
            if wins:
                assert advice("ismcts:300", referee)[0].action in wins
            referee.apply(rng.choice(observation.legal()))


def is_won_by(referee: Referee[Any], action: int) -> bool:
    """Return whether an action ends the game in favour of its seat."""
    observation = referee.observe(referee.seat)
    state = observation.state.clone()
    referee.game.apply(state, action)
    scores = referee.game.scores(state)
    return state.seat == -1 and scores[observation.seat] == max(scores) > min(scores)


def test_a_search_beats_random_play_in_gamon() -> None:
    for seat in range(2):
        referee = referee_of("gamon", seat, coins=6)
        bots = {
            seat: REGISTRY.make_bot("ismcts:40", "gamon", Random(1)),
            1 - seat: REGISTRY.make_bot("random", "gamon", Random(2)),
        }
        play_out(referee, bots)
        assert referee.places()[seat] == 1


@pytest.mark.parametrize("game", ["pig", "leduc", "goofspiel", "hearts"])
def test_games_with_chance_and_hidden_cards_are_searched_to_their_end(game: str) -> None:
    """Dice, cards turned up, simultaneous bids, and four seats."""
    seats = REGISTRY.game(game).seats.default
    referee = referee_of(game, 5, seats)
    bots = {seat: REGISTRY.make_bot("ismcts:8", game, Random(seat)) for seat in range(seats)}
    play_out(referee, bots)
    assert referee.is_over


def test_equal_seeds_search_equally() -> None:
    """A budget of iterations is reproducible; another seed draws other worlds."""
    referee = referee_of("gargon", 3, 3)
    first, again, other = (advice("ismcts:100", referee, seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_every_iteration_is_one_visit() -> None:
    rated = advice("ismcts:150", referee_of("gargon", 3, 4))
    assert sum(r.visits for r in rated) == 150
    assert all(-1 <= r.value <= 1 for r in rated)
    assert [r.visits for r in rated] == sorted((r.visits for r in rated), reverse=True)


def test_the_yardstick_tries_every_action_equally_often() -> None:
    """Flat: no choice but the first is learned."""
    rated = advice("pimc:100", referee_of("gargon", 3, 3))
    visits = [r.visits for r in rated]
    assert sum(visits) == 100
    assert max(visits) - min(visits) <= 1


def test_what_was_learned_is_kept_within_a_turn() -> None:
    """The second card of a set starts with the visits it had under the first."""
    referee = referee_of("gargon", 3, 3)
    kept, fresh = search("ismcts:200", "gargon"), search("ismcts:200,keep=no", "gargon")
    for bot in (kept, fresh):
        bot.advise(referee.observe(0))
    referee.apply(kept.advise(referee.observe(0))[0].action)
    assert referee.seat == 0
    assert sum(r.visits for r in fresh.advise(referee.observe(0))) == 200
    assert sum(r.visits for r in kept.advise(referee.observe(0))) > 200


def test_what_was_learned_is_kept_across_the_turns_of_others() -> None:
    referee = referee_of("garner", 3, layout="a")
    bot = search("ismcts:150", "garner")
    bots = {0: bot, 1: REGISTRY.make_bot("rule", "garner", Random(2))}
    totals = []
    for _ in range(8):
        if referee.seat == 0:
            totals.append(sum(r.visits for r in bot.advise(referee.observe(0))))
        referee.apply(bots[referee.seat].choose(referee.observe(referee.seat)))
    assert max(totals) > 150


def test_a_call_in_gamon_is_drawn_by_lot_among_good_ones() -> None:
    """A search that always took the best could be read; without `mix` it does."""
    referee = referee_of("gamon", 2)
    while referee.observe(referee.seat).state.phase != 3:
        referee.apply(referee.observe(referee.seat).legal()[-1])
    observation = referee.observe(referee.seat)
    mixed = Counter(search("ismcts:60", "gamon", seed).choose(observation) for seed in range(12))
    assert len(mixed) > 1
    bot = search("ismcts:60,mix=no", "gamon")
    assert bot.choose(observation) == search("ismcts:60", "gamon").advise(observation)[0].action


def test_a_time_budget_is_kept() -> None:
    referee = referee_of("gargon", 3, 3)
    bot, started, used = search("ismcts:milliseconds=60", "gargon"), monotonic(), process_time()
    rated = bot.advise(referee.observe(0))
    assert monotonic() - started > 0.05
    assert process_time() - used < 2
    assert sum(r.visits for r in rated) > 1


@pytest.mark.parametrize("spec", ["ismcts:40", "pimc:40"])
def test_chosen_actions_are_compared_with_equal_numbers_of_visits(spec: str) -> None:
    referee = referee_of("gargon", 3, 3)
    seen = referee.observe(referee.seat)
    actions = [seen.legal()[-1], seen.legal()[0]]
    bot = search(spec, "gargon")
    assert isinstance(bot, Comparer)
    rated = compare(bot, seen, actions)
    assert [(rating.action, rating.visits) for rating in rated] == [(a, 40) for a in actions]
    assert rated == compare(search(spec, "gargon"), seen, actions)


def test_visits_are_those_of_the_advice_without_its_line() -> None:
    seen = referee_of("gargon", 3, 3).observe(0)
    bot = search("ismcts:60", "gargon")
    assert isinstance(bot, Searcher)
    rated = search("ismcts:60", "gargon").advise(seen)
    assert visits_of(bot, seen) == {rating.action: rating.visits for rating in rated}


def test_ratings_of_other_actions_than_those_asked_for_are_a_fault() -> None:
    """A bot that compares the wrong ones would give any loss."""

    class Confused:
        def compare(self, observation: Observation[Any], actions: Sequence[int], /) -> list[Rated]:
            return [Rated(observation.legal()[0], 1, 0.0)]

    seen = referee_of("gargon", 3, 3).observe(0)
    with pytest.raises(BotIllegalError, match="it did not rate the actions"):
        compare(Confused(), seen, seen.legal()[:2])


def test_a_search_can_be_interrupted() -> None:
    """It answers with its best action, and the next search has its full time."""
    referee = referee_of("gargon", 3, 3)
    bot, started = search("ismcts:1000000", "gargon"), monotonic()
    assert isinstance(bot, Interruptible)
    assert isinstance(bot, Adviser)
    Timer(0.1, bot.interrupt).start()
    assert bot.choose(referee.observe(0)) in referee.observe(0).legal()
    assert monotonic() - started < PATIENCE  # all iterations take half an hour


def test_worlds_can_be_played_out_by_another_bot() -> None:
    """`rollout=rule`: the game's rule bot in every seat, with the observation of its seat."""
    referee = referee_of("gamon", 3)
    rated = advice("ismcts:3,rollout=rule", referee)
    assert sum(r.visits for r in rated) == 3


@pytest.mark.parametrize("value", ["0", "iterations=-1", "iterations=many", "milliseconds=-5"])
def test_an_impossible_budget_is_refused(value: str) -> None:
    with pytest.raises(OptionError, match="it is a number from"):
        REGISTRY.settings_of(f"ismcts:{value}", "gargon")


def test_a_bot_says_whether_it_looks_at_the_clock() -> None:
    entry = REGISTRY.bot("ismcts", "gargon")
    assert not entry.uses_clock(REGISTRY.settings_of("ismcts:50", "gargon"))
    assert entry.uses_clock(REGISTRY.settings_of("ismcts:milliseconds=50", "gargon"))


def after_first_action(game: str) -> Referee[Any]:
    """Return a game of two after its first legal action."""
    referee = referee_of(game, 1)
    referee.apply(referee.observe(referee.seat).legal()[0])
    return referee


def test_the_best_action_alone_has_a_line_of_legal_steps() -> None:
    referee = after_first_action("garner")
    best, *others = advise(REGISTRY.make_bot("ismcts:300", "garner", Random(1)), referee.observe(0))
    assert best.line
    assert not any(rated.line for rated in others)
    referee.apply(best.action)
    for seat, action in best.line:
        assert referee.seat == seat
        referee.apply(action)


def test_no_line_goes_on_with_a_card_that_the_seat_has_not_seen() -> None:
    """The card would belong to a determinization, not to the table."""
    referee = after_first_action("gamon")
    for _ in range(6):
        seen = referee.observe(referee.seat)
        best = advise(REGISTRY.make_bot("ismcts:120", "gamon", Random(1)), seen)[0]
        tokens = [seen.game.actions.token(action) for _, action in best.line]
        assert all(t is None or seen.state.seen[t] >> seen.seat & 1 for t in tokens)
        referee.apply(best.action)


def test_the_line_changes_no_later_decision() -> None:
    """The line uses a separate random generator."""
    seen = after_first_action("garner").observe(0)
    advising, silent = (REGISTRY.make_bot("ismcts:40", "garner", Random(1)) for _ in range(2))
    advise(advising, seen)
    silent.choose(seen)
    assert [advising.choose(seen) for _ in range(3)] == [silent.choose(seen) for _ in range(3)]
