"""Playing in a terminal: line by line, and on a full screen."""
