"""Commands that research adds to `oxo`."""
