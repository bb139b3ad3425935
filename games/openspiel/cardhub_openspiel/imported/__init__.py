"""OpenSpiel's games in cardhub, such as `openspiel:tic_tac_toe`."""
