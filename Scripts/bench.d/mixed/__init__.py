"""Generated pages that are put into PDFs in layers and read again."""
