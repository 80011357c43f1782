"""Measures how many words each reader reads on real pages, and its time."""
