"""The argument graph of a report, read by a model and held to the report's own words.

extraction = await extract_graph(author, report)
extraction.graph, extraction.problems
"""

from assay.logic.model.extract import extract_graph
from assay.logic.model.records import Comparison, Extraction, ExtractionSettings, Step

__all__ = ["Comparison", "Extraction", "ExtractionSettings", "Step", "extract_graph"]
