"""The figures of a study, each a function of its games."""
