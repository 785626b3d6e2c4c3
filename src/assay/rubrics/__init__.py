"""Yardsticks: scales and the dimensions they are applied to."""
