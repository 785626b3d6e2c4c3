"""ASY: findings about the way Assay itself is used on a text."""
