"""Labels with serial numbers, made up and read."""
