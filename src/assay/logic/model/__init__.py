"""The argument graph of a report, read by a model and confined to the report's own words.

extraction = await extract_graph(author, report)
extraction.graph, extraction.problems
"""

from assay.logic.model.model_graph import extract_graph
from assay.logic.model.records import Extraction, ExtractionSettings, ExtractionStep, GraphComparison

__all__ = ["Extraction", "ExtractionSettings", "ExtractionStep", "GraphComparison", "extract_graph"]
