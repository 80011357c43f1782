"""Measures what PDFs keep when they become searchable PDFs, compared with OCRmyPDF."""
