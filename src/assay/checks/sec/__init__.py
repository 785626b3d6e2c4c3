"""Untrusted content: instructions to the reader's model, hidden text, active or data-carrying markup."""
