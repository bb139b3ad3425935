"""The page "Why cardhub, and why not": tests show what it promises, benchmarks what it quotes."""

import re
from functools import cache

import pytest
from tests.examples.code_lines import code_lines
from tests.kit.paths import ROOT

PAGE = (ROOT / "docs" / "why-cardhub.md").read_text("utf-8")
BENCHMARKS = (ROOT / "docs" / "benchmarks.md").read_text("utf-8")
SENTENCES = re.findall(r"^\d+\. (.+)$", PAGE, re.MULTILINE)
NAME = re.compile(r"^(?:async )?def (test_\w+)", re.MULTILINE)
# The rows of two kinds of work against OpenSpiel in C++, with both ratios.
RATIO = re.compile(
    r"^\| .*? (random play|search) \| OpenSpiel.*? in C\+\+.*? \| ([\d.]+) .*?\| ([\d.]+) ",
    re.MULTILINE,
)
# By sentence of the page, the tests that show it.
SHOWN_BY = {
    "A game starts immediately, without a question.": (
        "test_a_game_starts_against_bots_with_no_further_question",
        "test_a_mistyped_game_gets_the_nearest_name",
        "test_commands_import_only_what_they_need",
    ),
    "Only what is legal can be done, and an illegal try says why.": (
        "test_illegal_cards_are_faint_only_where_something_is_legal",
        "test_a_card_that_cannot_be_laid_gives_the_reason",
        "test_a_typed_action_that_is_illegal_gives_the_reason",
        "test_an_illegal_action_is_refused_with_the_rule",
    ),
    "One line always says whose turn it is and what to do.": (
        "test_the_top_line_names_the_seat_to_act_and_its_prompt",
        "test_the_prompt_names_the_player_to_act",
    ),
    "Nothing hidden is ever shown.": (
        "test_no_answer_depends_on_a_card_that_the_viewer_has_not_seen",
        "test_no_determinization_changes_a_single_character",
        "test_a_game_can_be_played_by_keyboard_alone",
        "test_a_viewer_of_an_unfinished_game_never_sees_more_than_then",
        "test_an_unfinished_game_hides_what_may_still_matter",
        "test_an_unfinished_game_is_the_same_in_two_worlds",
        "test_a_hint_knows_no_more_than_who_asks",
    ),
    "The keyboard alone is enough, and so is the mouse alone.": (
        "test_a_game_can_be_played_by_keyboard_alone",
        "test_a_game_can_be_played_by_mouse_alone",
        "test_the_cursor_moves_by_arrows_and_by_hjkl",
        "test_the_footer_is_whole_and_can_be_clicked",
        "test_the_footer_can_be_clicked_and_the_keys_are_explained",
        "test_the_timeline_and_the_viewpoints_can_be_clicked",
    ),
    "`?` and F1 help, in context and offline.": (
        "test_help_tells_what_is_asked_and_opens_the_rules_at_the_phase",
        "test_the_rules_of_a_phase_are_found",
        "test_help_has_the_keys_of_the_screen_and_words",
    ),
    "A terminal of 80 by 24 is enough, and its size may change.": (
        "test_a_table_looks_as_reviewed",
        "test_frames_of_fixed_positions_fill_terminals_of_any_size",
        "test_a_small_terminal_shows_the_required_size_and_can_be_left",
        "test_the_table_survives_a_change_of_size",
    ),
    "Every action is in a log that can be scrolled.": (
        "test_the_log_names_players_and_can_fill_the_screen",
        "test_a_step_of_the_log_is_shown_until_any_key",
        "test_a_click_in_the_log_finds_its_step",
        "test_like_steps_of_one_actor_become_one_line",
    ),
    "Actions of bots can be followed, at your pace.": (
        "test_bots_act_no_faster_than_their_pace_until_skipped",
        "test_the_pace_can_be_changed",
        "test_a_bot_that_thinks_for_long_is_seen_to",
        "test_a_bot_that_listens_plays_at_once",
    ),
    "Every action is saved; a game can be left or killed at any moment and continued.": (
        "test_a_game_is_played_in_one_terminal_and_goes_on_after_it_is_killed",
        "test_a_game_goes_on_where_it_was_left",
        "test_a_number_of_the_list_names_a_game",
        "test_a_line_torn_off_is_left_out_with_a_warning",
    ),
    "The terminal is always given back as it was.": (
        "test_a_signal_leaves_the_terminal_as_it_was",
        "test_a_fault_of_the_table_leaves_the_terminal_and_the_record_whole",
        "test_a_bot_that_never_ends_does_not_keep_the_program",
    ),
    "You can take back your own actions as long as no seat has learned a face.": (
        "test_undo_takes_back_the_own_action",
        "test_undo_beyond_the_floor_is_refused_and_says_why",
        "test_a_table_without_helps_refuses_hints_and_undo",
        "test_games_with_hints_are_counted_apart",
    ),
    "What changed since your last action is marked.": (
        "test_cards_that_changed_since_the_own_action_are_marked",
        "test_a_new_card_has_a_mark_and_one_that_left_an_outline",
        "test_a_new_card_is_described_with_its_origin",
    ),
    "Nothing is shown by colour alone.": (
        "test_every_position_can_be_read_without_colours",
        "test_ascii_tables_have_ascii_only",
        "test_no_color_leaves_the_colours_to_the_terminal",
        "test_all_text_can_be_read_on_every_theme",
    ),
    "Any game can be replayed, played on from any step, and sent as a page.": (
        "test_keys_go_through_a_game_and_to_its_end",
        "test_taps_go_back_through_a_game",
        "test_a_page_for_one_viewer_has_nothing_else",
        "test_keys_go_by_steps_chapters_and_ends",
        "test_it_plays_by_itself_until_a_key_or_the_end",
        "test_a_view_that_is_not_permitted_is_refused",
        "test_play_on_opens_a_new_game",
        "test_the_same_actions_lead_to_the_same_end",
    ),
    "Everything works in plain text, for screen readers, pipes and scripts.": (
        "test_a_view_reads_from_the_shared_areas_over_the_others_to_the_own_hand",
        "test_an_action_is_typed_by_number_or_words",
        "test_the_result_has_points_by_cause_hands_and_turning_points",
        "test_commands_step_forward_and_back",
    ),
    "A plugin or bot that fails is named, and the program goes on.": (
        "test_a_bot_that_raises_is_named_and_the_game_lives_on",
        "test_a_listing_is_complete_though_plugins_raise",
        "test_a_broken_game_is_listed_with_its_error",
        "test_every_fault_of_a_python_bot_ends_in_the_last_place",
    ),
    "Every game has a seed, and can be dealt again.": (
        "test_the_seed_is_shown_and_makes_the_same_game",
        "test_a_drawn_seed_is_committed_to_above_the_log_and_revealed_at_the_end",
        "test_every_player_gets_the_cards_of_the_seat_after_theirs",
        "test_a_finished_game_leads_to_result_replay_and_the_same_deal",
    ),
    "Several people can share a terminal.": (
        "test_the_next_person_sees_only_their_own_hand",
        "test_keys_pressed_too_fast_do_not_show_the_table",
        "test_another_person_may_look_at_their_own_cards_first",
        "test_the_table_can_be_hidden_at_any_moment",
        "test_nothing_can_be_scrolled_back_to_behind_a_curtain",
    ),
    "Questions are asked only to prevent a loss.": (
        "test_leaving_needs_no_question",
        "test_a_click_points_and_a_second_one_acts",
        "test_the_cursor_never_starts_on_an_action_to_confirm",
        "test_a_record_is_never_overwritten",
    ),
    "Bots are compared fairly.": (
        "test_a_williams_design_balances_seats_and_neighbours",
        "test_it_shows_progress_speed_and_standings",
        "test_ctrl_c_leaves_what_was_played",
        "test_a_match_that_is_interrupted_says_so_and_goes_on",
        "test_the_verdict_comes_first_and_ratings_with_intervals_follow",
    ),
    "A new game can be played immediately.": (
        "test_it_can_be_played_without_being_installed",
        "test_a_fault_is_reported_with_a_record_that_shows_it",
        "test_a_section_of_the_wrong_form_is_named",
        "test_any_game_is_played_from_its_scene_by_typed_actions",
    ),
    "The table gives reasons: consequences, values of hints, what a hidden card can be.": (
        "test_the_spot_at_the_cursor_is_explained_with_its_consequence",
        "test_the_key_tells_what_can_be_done_where_something_can",
        "test_a_hint_is_in_the_words_of_the_game_without_numbers",
        "test_the_expected_steps_are_one_sentence",
        "test_an_unseen_card_is_described_by_its_possible_faces",
    ),
    "Bots can be watched, paused and replaced.": (
        "test_space_pauses_and_goes_on_and_an_arrow_is_one_action",
        "test_no_hand_is_shown_until_another_view_is_chosen",
        "test_the_pace_is_that_of_the_bots",
        "test_a_person_may_take_a_seat_of_the_game_that_is_watched",
    ),
    "Results last: points by cause, statistics by opponent, ratings with uncertainty.": (
        "test_the_causes_add_up_to_the_scores",
        "test_statistics_are_exported",
        "test_statistics_lead_to_replays_and_are_exported",
        "test_the_interval_is_the_score_interval",
        "test_there_is_a_row_for_each_bot_of_each_game_and_of_each_view",
    ),
}


@cache
def all_tests() -> frozenset[str]:
    """Return the names of all tests."""
    texts = (path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    return frozenset(name for text in texts for name in NAME.findall(text))


def test_the_page_lists_what_tests_show() -> None:
    assert list(SHOWN_BY) == SENTENCES
    assert len(SENTENCES) == 25


@pytest.mark.parametrize("sentence", SHOWN_BY)
def test_every_expectation_is_shown_by_tests(sentence: str) -> None:
    assert [name for name in SHOWN_BY[sentence] if name not in all_tests()] == []
    assert len(SHOWN_BY[sentence]) >= 2


def ratios(work: str) -> tuple[list[float], list[float]]:
    """Return cardhub's rates divided by OpenSpiel's in C++: interpreted, compiled."""
    rows = [row for row in RATIO.findall(BENCHMARKS) if row[0] == work]
    assert len(rows) == 3
    return [float(row[1]) for row in rows], [float(row[2]) for row in rows]


def span(values: list[float], digits: int) -> str:
    """Return the least and the greatest value as the page writes them."""
    return f"{min(values):.{digits}f} to {max(values):.{digits}f}"


def test_the_speed_of_search_equals_the_benchmarks() -> None:
    interpreted, compiled = ratios("search")
    row = f"{span(interpreted, 2)} of OpenSpiel in C++, compiled {span(compiled, 2)}"
    assert f"| {row} |" in PAGE
    slower = f"{1 / max(interpreted):.0f} to {1 / min(interpreted):.0f} times as fast"
    faster = f"compiled, cardhub's is {span(compiled, 1)} times as fast."
    assert f"Its C++ search is {slower} as cardhub's; {faster}" in " ".join(PAGE.split())


def test_the_speed_of_random_play_equals_the_benchmarks() -> None:
    interpreted, compiled = ratios("random play")
    row = f"{span(interpreted, 1)} of OpenSpiel in C++ driven from Python, compiled"
    assert f"| {row} {span(compiled, 1)} |" in PAGE


def test_the_size_of_the_smallest_game_equals_the_example() -> None:
    sources = (ROOT / "examples" / "kuhn" / "kuhn").glob("*.py")
    lines = sum(code_lines(path.read_text("utf-8")) for path in sources)
    readme = (ROOT / "README.md").read_text("utf-8")
    assert f"Kuhn poker has {lines} lines" in PAGE
    assert f"{lines} lines" in readme
