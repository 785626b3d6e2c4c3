"""Numbers: sums, shares, growth, repeated quantities, ranges, dates, tables."""
