"""Where the reference list stands."""

from assay.subjects.report import Report


def test_chapters_with_lists_of_their_own_leave_the_words_between_them():
    chapter = "## Chapter {0}\n\n" + "Pumps are quiet in winter and cheap to run [1]. " * 30
    listed = "\n\n## References\n\n[1] A study of pumps. https://example.org/{0}\n[2] Another study. https://example.org/x{0}\n\n"
    text = "".join((chapter + listed).format(number) for number in range(3))
    report = Report(text)
    alone = Report(chapter.format(0))
    assert report.words >= 3 * alone.words
    assert report.reference_span is not None
    assert report.source[report.reference_span.start :].startswith(
        "## References\n\n[1] A study of pumps. https://example.org/2"
    )
