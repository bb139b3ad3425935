"""Pages of rows: as data, drawn, in a widget, and on a screen."""
