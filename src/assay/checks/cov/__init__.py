"""Coverage: what the query asked and the report does not treat, or treats beside the point."""
