"""Two versions of one text: what differs comes first, word for word, and only that decides.

Made for pairs that share nearly everything, such as a reference and its copy with a planted failure: a judge that reads
both through rates the text that they share, and misses the sentence in which they differ.
"""

from assay.strategies.base import Field, Strategy

STRATEGY = Strategy(
    name="versions",
    summary="For two versions of one text: list where they differ, both wordings, then judge only that.",
    source="beyond the papers",
    fields=(
        Field(
            "differences",
            "every place at which they differ: the words of each side, and which side is better there and why",
            "每一处不同：双方各自的原文，以及哪一方在此处更好、为什么",
            many=True,
        ),
    ),
    needs_reference=frozenset({"score"}),
)
