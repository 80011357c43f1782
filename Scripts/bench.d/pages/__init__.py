"""Made-up pages, and how the steps that put pages right do on them."""
