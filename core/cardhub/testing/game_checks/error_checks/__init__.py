"""Checks that error messages reveal no hidden card."""
