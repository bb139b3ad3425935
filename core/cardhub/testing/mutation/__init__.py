"""Rules that are broken one by one, to find out which of them no check and no test notices."""
