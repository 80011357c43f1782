"""Generates labels with serial numbers, and reads them again."""
