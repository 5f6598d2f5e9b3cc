// Words of research that pages use where nothing plainer says the same, each in one line.
const TERMS = {
  agent:
    "A program that chooses moves: a name, and options after a colon, such as minimax:depth=3.",
  spec: "How a game is written: its board, then its rules, such as 4^3:gravity,players=3.",
  seating: "Which agent has the first move, which the second, and so on.",
  class: "All positions that become the same when the board is turned or mirrored.",
  ply: "A move of one player.",
  deviance:
    "How far the ratings are from the results: about as large as the degrees of freedom where they fit.",
};

export const Term = {
  props: { of: { type: String, required: true } },
  computed: {
    means() {
      return TERMS[this.of];
    },
  },
  template: `<dfn tabindex="0" :title="means"><slot/></dfn>`,
};
