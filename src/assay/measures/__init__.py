"""Statistics on plain arrays. Knows nothing of reports, judges or runs."""
