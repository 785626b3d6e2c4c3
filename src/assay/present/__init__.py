"""How results are shown: text, JSON, SARIF, JUnit and HTML. Nothing here decides anything."""
