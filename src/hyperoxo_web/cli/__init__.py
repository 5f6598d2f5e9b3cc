"""Commands that the web application adds to `oxo`."""
