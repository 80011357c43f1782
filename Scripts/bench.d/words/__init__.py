"""Measures the words that are read on true scans, and on pages spoiled on purpose."""
