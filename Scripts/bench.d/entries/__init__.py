"""Generates booklets of entries, and reads them."""
