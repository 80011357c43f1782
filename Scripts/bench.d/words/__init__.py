"""How many words are read, on true scans and on pages spoiled on purpose."""
