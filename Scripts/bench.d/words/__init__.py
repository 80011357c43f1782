"""How many words are read, on true scans and on pages spoilt on purpose."""
