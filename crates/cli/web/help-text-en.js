// What the page says in English about the rulesets, and its help.

const plural = (number, one, many) => `${number} ${number === 1 ? one : many}`;
const seeds = (number) => plural(number, "seed", "seeds");

export const ruleset = {
  title: (name) => `The rules: ${name}`,
  noTables: (name) => `${name} (no tables)`,
  toSeeds: (name, number) => `${name} (to ${number} seeds)`,
  tables: (highest) => (highest === null
    ? "No tables: the engine estimates every position."
    : `Exact tables up to ${seeds(highest)} on the board; the engine estimates the rest.`),
  about: {
    awari: "The rules of research on awari and of the Computer Olympiad. A grand slam is illegal unless there is no other move; endless play is shared evenly.",
    awale: "As awari, but in endless play each player keeps the seeds in their own row.",
    abapa: "The rules of the Oware Society, played in tournaments. A grand slam is legal but captures nothing.",
    "awale-c": "The rules of the terminal program Awale Game. A grand slam captures nothing; leftovers count for neither player.",
    "awale-info": "The rules of awale.info. A grand slam is never legal; leftovers count for neither player.",
    pratt: "The rules of John P. Pratt. A grand slam takes the whole board; starving the opponent is penalised.",
    ifmg: "The mangala of the International Federation of Mind Games: sowing with stores, even numbers are captured.",
    kalah: "Sowing with stores: the last seed in the own store gives another move, in an own empty pit it captures.",
    "kalah-empty": "As kalah, but a last seed in an own empty pit is captured even with nothing opposite.",
  },
  grandSlam: {
    forced: "A grand slam is illegal unless there is no other move.",
    nothing: "A grand slam is legal but captures nothing.",
    illegal: "A grand slam is never legal.",
    all: "A grand slam is legal and takes the whole board.",
  },
  feeding: {
    required: "A move must leave the opponent seeds.",
    penalty: "A move that starves the opponent without need loses the whole board.",
  },
  leftovers: {
    owner: "Leftovers go to the owner of the row.",
    nobody: "Leftovers count for neither player.",
  },
  endless: {
    even: "Endless play is shared evenly.",
    nobody: "Endless play counts for neither player.",
    "by-side": "In endless play each player keeps their own row.",
    open: "What endless play is worth is left open.",
  },
};

export const help = {
  playTitle: "How oware is played",
  play: [
    "South owns the lower row and sows from left to right, North the upper row from right to left: always anticlockwise.",
    "A move takes all seeds of one of your pits and drops them one by one into the following pits. A pit with twelve or more goes round the board and skips the pit it came from.",
    "If the last seed lands in an opponent’s pit that then holds two or three, you capture them, and those of the pits just before it as long as they also hold two or three.",
    "You must leave the opponent something to play with if you can.",
    "The game ends when a player has more than half of the seeds, cannot move, or when play goes round in circles. The most seeds win.",
    "The rulesets differ in details, such as capturing everything in a row (a grand slam). In the games with stores, ifmg and kalah, you also sow into your own store.",
  ],
  valuesTitle: "Values",
  values: [
    "The number at a pit is your final lead with best play by both after that move: green wins, red loses. A golden ring marks the best moves.",
    "Filled numbers are exact, from the tables. Numbers with a dashed border are estimates of the engine.",
    "Under rules such as abapa a repetition is worth what lies in both rows when it is stopped. Where that matters, the tables give bounds: “wins or draws”, “wins by 2 to 4”. The number then lies between them, and its border is dashed.",
    "A dark letter marks the pits that may be played, a dashed circle the last move.",
    "“Review game” marks the moves that gave seeds away: ?! inaccuracy, ? mistake, ?? blunder.",
  ],
  keysTitle: "Keys",
  // Keys stand in brackets.
  keys: [
    ["[A]–[F] or [1]–[6]", "play that pit of the player to move"],
    ["[←] [→]", "one move back, forward"],
    ["[Home] [End]", "first, last position"],
    ["[M]", "play the best move"],
    ["[U] [Y]", "undo, redo"],
    ["[V]", "next variation of the move"],
    ["[H]", "show or hide values"],
    ["[R]", "flip the board"],
    ["[N]", "new game"],
    ["[X]", "edit the board, and end editing"],
    ["[+] [−]", "while editing, change the pit or store with the focus"],
    ["[Esc]", "end editing, close a message"],
    ["[?]", "this help"],
  ],
  letterKeys: "Shortcuts with letters, digits and ?",
  rulesetsTitle: "Rulesets",
};
