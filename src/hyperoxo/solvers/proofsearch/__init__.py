"""Proof search (df-pn): running it, walking its proofs, making them smaller."""

# One player, the attacker, tries to force a win; the other defends. Positions of the AND/OR graph
# are canonical under the board's symmetries, forced wins by threats are leaves (Allis 1994), and
# depth-first proof-number search (Nagai 2002) decides the rest. Read `view` (positions, replies
# that matter), `search` (the search and its transposition table), `driver` (both attackers, wider
# and wider), `tree` (strategies of proved wins); then `split` (one search for each reply),
# `quiet_depth`, and `options` with `shrink` (smaller proofs).
