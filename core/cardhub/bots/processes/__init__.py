"""Child processes for third-party code: started, guarded, confined, and their pipes."""
