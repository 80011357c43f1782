"""Pages made up, put into PDFs in layers, and read again."""
