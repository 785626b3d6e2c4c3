"""The five papers: their tables and figures, and how Assay makes them."""
