"""Warrants: causes without a mechanism, conclusions without support."""
