"""Games for the learners of other libraries: arrays, environments and trained models."""
