"""Assay as a service for other programs: tools for agents over the Model Context Protocol."""
