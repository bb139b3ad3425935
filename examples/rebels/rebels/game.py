"""Rebels: a game of hidden roles.

Spies know each other by secret looks. A team supports or sabotages its mission by secret actions,
of which all learn only the number of sabotages. So a player who was in a team that sabotaged is
known to be a spy only if the number says it.
"""

from pathlib import Path

from cardhub import (
    OVER,
    Actions,
    Area,
    Choice,
    Display,
    Game,
    Goal,
    Names,
    Players,
    Scene,
    SeatLine,
    Seats,
    Settings,
    State,
    left_of,
    load_cards,
    per_seat,
    private,
    simultaneous,
    view_history,
)

CARDS = load_cards(Path(__file__).with_name("cards.yaml"))
REBEL, SPY = CARDS.face("R"), CARDS.face("S")
# By number of players: the spies, and the teams of the five missions.
SPIES = {5: 2, 6: 2, 7: 3}
TEAMS = {5: (2, 3, 2, 3, 3), 6: (2, 3, 4, 3, 4), 7: (2, 3, 3, 4, 4)}
# With this number of players, the mission with this index fails only after two sabotages.
HARD_SEATS, HARD_MISSION = 7, 3
# The missions that decide the game, and the teams voted down in a row that do.
ENOUGH, MOST_REFUSED = 3, 5
ACTIONS = Actions(
    Players("pick", 7),
    Choice("vote", ("yes", "no")),
    "support",
    "sabotage",
    secret=("support", "sabotage"),
)
PICK, VOTE, SUPPORT, SABOTAGE = ACTIONS.starts
YES, NO = VOTE, VOTE + 1
PICKING, VOTING, MISSION = range(3)


class Table(State):
    """The state: `sabotages` has a number for each mission, `votes` the last vote of each seat.

    `treason` has by seat the missions that it has sabotaged.
    """

    views = view_history()
    choices = simultaneous()
    role = per_seat(faces="owner")
    treason = private()
    leader: int
    team: list[int]
    votes: list[int]
    sabotages: list[int]
    refused: int


class RebelsDisplay(Display[Table]):
    """The roles, the team and the missions."""

    def scene(self, state: Table, viewer: int) -> Scene:
        """Return the role and the missions."""
        results = [result(state, mission) for mission in range(len(TEAMS[state.seats]))]
        areas = [Area(f"mission {n}", look="count", note=note) for n, note in enumerate(results, 1)]
        # Badges name the sides that a viewer knows: the others' room is for the team and the votes.
        if viewer < state.seats:
            areas.append(Area("role", state.role[viewer], viewer, room=1))
        lines = {seat: SeatLine(badges=badges(state, seat)) for seat in range(state.seats)}
        return Scene(prompt(state), areas, status=self.chapter(state), seats=lines)

    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str] | None:
        """Return the votes; the rules log the result of a mission."""
        if before.phase == PICKING:
            return None
        if before.phase == MISSION:
            return []
        sides = {YES: "yes", NO: "no"}
        votes = (f"{names.player(s)} {sides[v]}" for s, v in before.known_choices().items())
        return ["The votes: " + ", ".join(votes)] if before.known_choices() else []

    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        """Return why an action is not legal: another action is due, or the player is a rebel."""
        if action in self.game.legal(state):
            return None
        if state.phase == VOTING:
            return "all vote for the team or against it now"
        if state.phase == MISSION:
            return "a rebel supports every mission" if action == SABOTAGE else "the team acts now"
        if action < VOTE:
            return "a team is picked in the order of the seats, and needs enough players"
        return "first the team is picked"

    def chapter(self, state: Table) -> str:
        """Return the number of the mission, from 1."""
        return f"mission {min(len(state.sabotages) + 1, len(TEAMS[state.seats]))} of 5"


class Rebels(Game[Table]):
    """Rebels and hidden spies go on missions."""

    name, title, seats = "rebels", "Rebels", Seats(5, 7)
    cards, actions, phases = CARDS, ACTIONS, ("pick", "vote", "mission")
    goal, state_type, display_type = Goal.WIN, Table, RebelsDisplay
    sides = ("rebel", "spy")

    def pack(self, settings: Settings, seats: int) -> list[int]:
        """Return the roles in play."""
        return [REBEL] * (seats - SPIES[seats]) + [SPY] * SPIES[seats]

    def deal(self, state: Table) -> None:
        """Deal the roles, and show the spies to each other."""
        for seat in range(state.seats):
            state.put(seat, state.role, seat)
        spies = [seat for seat in range(state.seats) if is_spy(state, seat)]
        for spy in spies:
            for other in spies:
                state.show(spy, other, is_secret=True)
        state.votes = [-1] * state.seats

    def side(self, state: Table, seat: int) -> int:
        """Return the side of a seat; the spies, who know each other, also know the rebels."""
        known = [role for (role,) in state.role if state.has_face(role)]
        if [state.face[role] for role in known].count(SPY) == SPIES[state.seats]:
            return int(state.role[seat][0] in known and is_spy(state, seat))
        return int(is_spy(state, seat))

    def legal(self, state: Table) -> list[int]:
        """Return the legal actions of the seat to act."""
        if state.phase == VOTING:
            return [YES, NO]
        if state.phase == MISSION:
            return [SUPPORT, SABOTAGE] if is_spy(state, state.seat) else [SUPPORT]
        # In the order of the seats, because each team is picked in one way only.
        first = state.team[-1] + 1 if state.team else 0
        missing = team_size(state) - len(state.team)
        return [PICK + seat for seat in range(first, state.seats - missing + 1)]

    def apply(self, state: Table, action: int) -> None:
        """Pick a player, vote, or go on a mission."""
        if state.phase == PICKING:
            state.team.append(action - PICK)
            if len(state.team) == team_size(state):
                state.phase = VOTING
                state.ask(range(state.seats))
        elif choices := state.choose(action):
            if state.phase == VOTING:
                count_votes(state, choices)
            else:
                end_mission(state, choices)

    def scores(self, state: Table) -> list[int]:
        """Return 1 for each winner once the game is over."""
        if state.seat != OVER:
            return [0] * state.seats
        failures = sum(is_failed(state, mission) for mission in range(len(state.sabotages)))
        winner = SPY if failures == ENOUGH or state.refused == MOST_REFUSED else REBEL
        return [int(state.face[role[0]] == winner) for role in state.role]


def is_spy(state: Table, seat: int) -> bool:
    """Return whether a seat is a spy."""
    return state.face[state.role[seat][0]] == SPY


def team_size(state: Table) -> int:
    """Return how many players the next mission needs."""
    return TEAMS[state.seats][len(state.sabotages)]


def is_failed(state: Table, mission: int) -> bool:
    """Return whether a past mission has failed."""
    is_hard = (state.seats, mission) == (HARD_SEATS, HARD_MISSION)
    return state.sabotages[mission] > is_hard


def count_votes(state: Table, votes: dict[int, int]) -> None:
    """Send the team on its mission, or pass the lead to the left."""
    state.votes = [votes[seat] for seat in range(state.seats)]
    if 2 * state.votes.count(YES) > state.seats:
        state.refused, state.phase = 0, MISSION
        state.ask(state.team)
        return
    state.refused += 1
    state.log("The team is voted down")
    next_team(state, is_over=state.refused == MOST_REFUSED)


def end_mission(state: Table, deeds: dict[int, int]) -> None:
    """Disclose the number of sabotages, and pass the lead to the left."""
    mission = len(state.sabotages)
    for seat, deed in deeds.items():
        if deed == SABOTAGE:
            state.treason[seat].append(mission)
    count = state.disclose(sum(deed == SABOTAGE for deed in deeds.values()))
    state.sabotages.append(count)
    if is_failed(state, mission):
        state.log("The mission fails: {count:sabotage}", has_pause=True, count=count)
    else:
        state.log("The mission succeeds: {count:sabotage}", has_pause=True, count=count)
    failures = sum(is_failed(state, number) for number in range(mission + 1))
    next_team(state, is_over=ENOUGH in (failures, mission + 1 - failures))


def next_team(state: Table, *, is_over: bool) -> None:
    """Pass the lead to the left, or turn up all roles."""
    if is_over:
        state.seat = OVER
        for role in state.role:
            state.reveal(role)
        return
    state.team, state.phase = [], PICKING
    state.leader = state.seat = left_of(state.leader, state.seats)


def badges(state: Table, seat: int) -> list[str]:
    """Return the public facts about a seat, and its treason if the viewer knows it."""
    parts = ["team"] if seat in state.team else []
    parts += ["leads"] if seat == state.leader else []
    parts += [{YES: "yes", NO: "no"}[state.votes[seat]]] if state.votes[seat] >= 0 else []
    treason = state.treason[seat] if state.has_private(seat) else []
    missions = [str(mission + 1) for mission in treason]
    return parts + ([f"sabotaged {', '.join(missions)}"] if missions else [])


def result(state: Table, mission: int) -> str:
    """Return the result of a mission, or the size of its team if it is yet to come."""
    if mission >= len(state.sabotages):
        return f"for {TEAMS[state.seats][mission]} players"
    if not is_failed(state, mission):
        return "succeeded"
    return f"sabotaged: {state.sabotages[mission]}"


def prompt(state: Table) -> str:
    """Return an instruction for the seats to act."""
    if state.seat == OVER:
        return "the game is over"
    if state.phase == PICKING:
        return f"pick a team of {team_size(state)}"
    return "vote for the team, or against it" if state.phase == VOTING else "go on the mission"
