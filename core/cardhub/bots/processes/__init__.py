"""Child processes for third-party code: their start, guard, confinement and pipes."""
