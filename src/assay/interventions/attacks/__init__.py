"""Attacks on judges of reports: a defect of one dimension, or surface without substance; an operator a module."""
