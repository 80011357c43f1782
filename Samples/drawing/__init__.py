"""What the sample pages are drawn with."""
