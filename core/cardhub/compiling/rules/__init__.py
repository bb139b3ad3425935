"""Rules of games as C over one struct: translated from their sources, for playouts."""
