"""How many words each reader reads on real pages, and how long it takes."""
