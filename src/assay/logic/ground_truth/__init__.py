"""Reports whose argument is known, to measure how well arguments are extracted from reports.

They are made in two ways: a model plans, gathers and writes (`pair_writer`), or phrases are put together without a
    model
(`synthetic`).
"""
