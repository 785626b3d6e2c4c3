"""Qualifiers: absolute claims, bare forecasts, hedging without content, one-sidedness."""
