"""Drawing of the regions of a table on a canvas."""
