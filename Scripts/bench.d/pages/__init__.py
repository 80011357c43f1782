"""Generated pages, and measurements of the steps that correct pages."""
