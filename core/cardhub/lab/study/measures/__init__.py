"""The figures of a study, as functions of its games."""
