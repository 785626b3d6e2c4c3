"""``assay annotate``: people judge, blind and on their own; what they say is kept at every key."""
