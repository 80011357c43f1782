"""Generates pages, puts them into PDFs in layers, and reads them again."""
