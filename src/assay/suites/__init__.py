"""Published ways to score reports, each with the defaults of its paper, as suites that run on the same machinery."""
