"""Tables of many grades: compliance, failures, strata, length and citations of systems (ResearchRubrics, section 4.2).

`assay.suites.compliance.build.compliance_tables` computes the record ``assay.compliance/1`` from judgments
by weighted criteria.
"""
