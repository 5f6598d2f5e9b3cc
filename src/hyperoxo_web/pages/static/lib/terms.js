// Words of research that pages use where nothing plainer says the same, each in one line.
const TERMS = {
  agent: "A program that chooses moves: a name with options, such as minimax:depth=3.",
  spec: "The spelling of a game: its board, then its rules, such as 4^3:gravity,players=3.",
  seating: "The order of the agents: first move, second move, and so on.",
  class: "All positions that become the same when you turn or mirror the board.",
  ply: "A move of one player.",
  deviance: "The distance between ratings and results: about the degrees of freedom if they fit.",
};

export const Term = {
  props: { of: { type: String, required: true } },
  computed: {
    means: ({ of }) => TERMS[of],
  },
  template: `<dfn tabindex="0" :title="means"><slot/></dfn>`,
};
