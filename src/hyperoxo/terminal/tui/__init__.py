"""The terminal application, with Textual: board, analysis, history and files on one screen."""
