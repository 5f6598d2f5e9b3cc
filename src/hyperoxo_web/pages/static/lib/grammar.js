// Made by `python -m hyperoxo_web.pages.grammar`.
export const GRAMMAR = {
 "kinds": [
  {
   "name": "hypercube",
   "label": "Side and dimension",
   "pattern": "([0-9]+)\\^([0-9]+)",
   "template": "{}^{}",
   "fields": [
    {
     "name": "side",
     "label": "Side",
     "low": 1,
     "high": 20,
     "value": 3
    },
    {
     "name": "dim",
     "label": "Dimension",
     "low": 1,
     "high": 6,
     "value": 2
    }
   ]
  },
  {
   "name": "mnk",
   "label": "Columns and rows",
   "pattern": "([0-9]+),([0-9]+),([0-9]+)",
   "template": "{},{},{}",
   "fields": [
    {
     "name": "columns",
     "label": "Columns",
     "low": 1,
     "high": 40,
     "value": 7
    },
    {
     "name": "rows",
     "label": "Rows",
     "low": 1,
     "high": 40,
     "value": 6
    },
    {
     "name": "run",
     "label": "In a row",
     "low": 1,
     "high": 20,
     "value": 4
    }
   ]
  }
 ],
 "options": [
  {
   "name": "connect",
   "form": "number",
   "label": "In a row",
   "about": "cells in a line, where they are fewer than the side",
   "default": null,
   "low": 1,
   "high": 20,
   "whole": "side",
   "suggestions": [],
   "boards": [
    "hypercube"
   ]
  },
  {
   "name": "wrap",
   "form": "axes",
   "label": "Wrap",
   "about": "lines continue over the edge",
   "default": null,
   "low": 0,
   "high": 0,
   "whole": "",
   "suggestions": [],
   "boards": [
    "hypercube",
    "mnk"
   ]
  },
  {
   "name": "players",
   "form": "number",
   "label": "Players",
   "about": "players, in turn order",
   "default": 2,
   "low": 2,
   "high": 8,
   "whole": "",
   "suggestions": [],
   "boards": [
    "hypercube",
    "mnk"
   ]
  },
  {
   "name": "target",
   "form": "number",
   "label": "Lines to win",
   "about": "lines to complete",
   "default": 1,
   "low": 1,
   "high": 99,
   "whole": "",
   "suggestions": [],
   "boards": [
    "hypercube",
    "mnk"
   ]
  },
  {
   "name": "misere",
   "form": "flag",
   "label": "Misère",
   "about": "completing a line loses",
   "default": false,
   "low": 0,
   "high": 0,
   "whole": "",
   "suggestions": [],
   "boards": [
    "hypercube",
    "mnk"
   ]
  },
  {
   "name": "convention",
   "form": "word",
   "label": "Convention",
   "about": "other goals than a race for lines",
   "default": "",
   "low": 0,
   "high": 0,
   "whole": "",
   "suggestions": [
    [
     "maker-breaker",
     "Player 1, the Maker, wins with a full line; player 2, the Breaker, otherwise."
    ],
    [
     "avoider-enforcer",
     "Player 1, the Avoider, loses with a full line; player 2, the Enforcer, otherwise."
    ]
   ],
   "boards": [
    "hypercube",
    "mnk"
   ]
  },
  {
   "name": "bias",
   "form": "numbers",
   "label": "Bias",
   "about": "cells per turn, for each player",
   "default": "",
   "low": 0,
   "high": 0,
   "whole": "",
   "suggestions": [
    [
     "1+2",
     "one cell and two cells"
    ]
   ],
   "boards": [
    "hypercube",
    "mnk"
   ]
  },
  {
   "name": "first",
   "form": "number",
   "label": "Starts",
   "about": "the player who starts",
   "default": 1,
   "low": 1,
   "high": 8,
   "whole": "",
   "suggestions": [],
   "boards": [
    "hypercube",
    "mnk"
   ]
  },
  {
   "name": "gravity",
   "form": "axis",
   "label": "Gravity",
   "about": "stones fall along an axis",
   "default": null,
   "low": 0,
   "high": 0,
   "whole": "",
   "suggestions": [],
   "boards": [
    "hypercube",
    "mnk"
   ]
  },
  {
   "name": "blocked",
   "form": "cells",
   "label": "Blocked cells",
   "about": "cells out of play, with all lines through them",
   "default": "",
   "low": 0,
   "high": 0,
   "whole": "",
   "suggestions": [
    [
     "centre",
     "the cell in the middle"
    ],
    [
     "0+5+7",
     "these cells"
    ]
   ],
   "boards": [
    "hypercube",
    "mnk"
   ]
  },
  {
   "name": "opening",
   "form": "opening",
   "label": "First move",
   "about": "where player 1 may begin",
   "default": "",
   "low": 0,
   "high": 0,
   "whole": "",
   "suggestions": [
    [
     "poor",
     "on a cell of few lines"
    ],
    [
     "rich",
     "on a cell of many lines"
    ],
    [
     "poorx2",
     "the first two on such cells"
    ]
   ],
   "boards": [
    "hypercube",
    "mnk"
   ]
  }
 ]
};
