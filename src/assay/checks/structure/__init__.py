"""Document structure: headings, empty sections, announced lists, pointers to tables and sections."""
