"""Expression: repetition, runaway sentences, broken grammar and Markdown, leftovers."""
