"""The command line: parse, call, present. Exit codes are in `assay.cli.main`."""
