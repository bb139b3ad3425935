"""Menus: pages of rows as data, their drawing, and their widget and screen."""
