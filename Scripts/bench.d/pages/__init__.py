"""Generated pages, and how well the steps that correct pages work on them."""
