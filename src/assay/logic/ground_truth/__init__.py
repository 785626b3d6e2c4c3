"""Reports whose argument is known, to measure how well arguments are extracted from reports.

Two ways to make them: a model plans, gathers and writes (`make`), or phrases are put together without one (`synthetic`).
"""
