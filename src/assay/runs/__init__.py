"""Runs: plan, schedule, ledger, resume."""
