"""Chat models behind one small protocol: endpoints, local files, batch files, scripts."""
