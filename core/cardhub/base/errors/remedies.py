"""Remedies for code that reads hidden faces."""

from collections.abc import Mapping

# By method of a game or bot, the remedy if it reads a face that its seat has not seen.
AS_BACK = "show it as a back: an Area draws it so, and names.card() and names.phrase() call it so"
PUBLIC = "what is public afterwards must come from faces all have seen, or from state.answer"
RULED_OUT = "rule out faces by what all players know; the rules record it in the state"
SAMPLED = "read faces of observation.determinize(rng), or ask labels().is_known(token) first"
REMEDIES: Mapping[str, str] = {
    **dict.fromkeys(("scene", "narration", "summary", "why_not"), AS_BACK),
    **dict.fromkeys(("apply", "chance_weights", "legal"), PUBLIC),
    **dict.fromkeys(("allows", "possible"), RULED_OUT),
    **dict.fromkeys(("advise", "choose"), SAMPLED),
}
