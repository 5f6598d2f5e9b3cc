"""Play for people: boards drawn in the terminal, and the dialogue around them."""
