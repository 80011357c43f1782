"""Generated labels with serial numbers, which are read again."""
