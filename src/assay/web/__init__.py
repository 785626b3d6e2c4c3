"""The application in the browser: follow a number down to its prompt, and let people judge (extra ``[web]``)."""
