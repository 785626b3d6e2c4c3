"""The command line: it parses, calls and presents. `assay.cli.main` lists the exit codes."""
