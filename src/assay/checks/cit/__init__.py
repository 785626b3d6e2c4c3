"""Citations and references: what is cited, whether it exists, whether it fits."""
