"""Booklets of entries, made up and read."""
