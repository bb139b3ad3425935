"""Assistants at tables: what a program that talks to a language model reads and does at a seat."""
