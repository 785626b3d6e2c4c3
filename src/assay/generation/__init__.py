"""What models write rather than judge: rubrics, reports, labels of queries, argument graphs."""
