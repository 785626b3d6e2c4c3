"""What a machine can see alone: one file per check, findings with stable codes."""
