"""What many grades say: compliance, failures, strata, length and citations of systems (ResearchRubrics, section 4.2).

`assay.suites.compliance.build.compliance_tables` makes the record ``assay.compliance/1`` of records ``assay.grade/1``.
"""
