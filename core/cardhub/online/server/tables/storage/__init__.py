"""Tables on disk: a folder with settings, records and chat for each, and the bound on tables."""
