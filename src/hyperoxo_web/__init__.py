"""The web application: server, pages and scripts around the games of `hyperoxo`."""
