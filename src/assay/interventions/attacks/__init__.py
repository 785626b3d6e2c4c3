"""Attacks on judges of reports, one operator per module: a defect in one dimension, or surface without substance."""
