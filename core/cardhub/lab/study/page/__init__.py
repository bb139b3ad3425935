"""The pages of studies: static HTML with plots, from results alone."""
