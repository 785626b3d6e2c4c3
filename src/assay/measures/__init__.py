"""Statistics on plain arrays; independent of reports, judges and runs."""
