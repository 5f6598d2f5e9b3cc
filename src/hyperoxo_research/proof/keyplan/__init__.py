"""Key plans: Breaker's answers on a few key cells, after which pairs of cells stop every line.

The rules R1 to R7, their numbered conditions and the proofs are in ``docs/key-plans.md``. Files in
reading order:

1. `plan` and `file`: a plan as a value and as a file.
2. `board`: lines, regions, blocks and symmetries as arrays.
3. `states`: a state, its greatest image, and the listed state that stands for it.
4. `matching`: 2-matchings of lines into cells.
5. `pairs`: the bounds on stones, the test, and rule *pairs* (R1 by counts, R5 by lines).
6. `blocks`: stones on blocks (R6), and what blocks need after a key or a stone.
7. `stones`: rule *stones elsewhere* (R4 by counts, R7 by lines).
8. `examine`: one listed state by all rules, with rule *keys* (R2 by counts, R6 by lines).
9. `check`: the whole plan.

`play` follows a plan in a game; `stored` has the plans that come with the program.
"""
