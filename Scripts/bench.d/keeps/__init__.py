"""What is left of PDFs that become searchable PDFs, against OCRmyPDF."""
