"""Clips of trading cards: their artwork, the tables they lie on, and what a dealer does."""
