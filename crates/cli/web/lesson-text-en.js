// The texts of a reviewed game in English.

const NAMES = { south: "South", north: "North" };

export default {
  title: "How the game was played",
  about: "A move that gives nothing away counts 100 %, one that gives away a seed 84 %, four seeds 50 %. Moves without a choice do not count.",
  accuracy: "Accuracy",
  average: "Seeds given away by a move with a choice, on average",
  only: "Only moves found",
  onlyFound: (found, all) => `${found} of ${all}`,
  marks: { inaccuracy: "Inaccuracies ?!", mistake: "Mistakes ?", blunder: "Blunders ??" },
  moments: "Key moments",
  none: "No move gave much away.",
  gaveAway: (number, player, move, amount) => `${NAMES[player]}’s move ${number}, ${move}, gave away ${amount}.`,
  turning: "It changed who wins.",
  find: "Find the better move",
  findAt: (number, player) => `Find the better move, instead of ${NAMES[player]}’s move ${number}`,
  moment: (number, player) => `Key moment: ${NAMES[player]}’s move ${number}`,
  task: "Find the better move",
  played: (move, amount) => `In the game, ${move} gave away ${amount}. Which move is better?`,
  same: (letter, amount) => `${letter} was played in the game and gave away ${amount}. Try another one.`,
  judging: (letter) => `${letter}: the engine looks at it …`,
  keeps: (letter) => `${letter} keeps it all: that is the better move.`,
  keepsAbout: (letter) => `${letter} keeps it all, as far as the engine sees: that is the better move.`,
  gives: (letter, amount) => `${letter} gives away ${amount}. Try another one.`,
  better: (letter) => `The better move is ${letter}.`,
  seeds: (number, exact) => `${exact ? "" : "about "}${exact ? number : number.toFixed(1)} ${number === 1 ? "seed" : "seeds"}`,
  comment: (amount, line) => `gives away ${amount}; better ${line}`,
  show: "Show the better move",
  next: "Next key moment",
  close: "Close",
};
