"""What shuffles leave known: an exact filter over them, for the present and for the past."""
