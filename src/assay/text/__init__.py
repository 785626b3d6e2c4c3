"""Pure functions on strings: language, words, sentences, the markup-free view, cue phrases, quantities.

Everything here works on one string and its code-point offsets; nothing knows what a report is.
"""
