// The texts of the lessons in English. A text that differs between rulesets has a variant for
// each; `done` is shown when the goal is reached, `tip` after another move.

export default {
  title: "Learn by playing",
  rulesTitle: (name) => `The rules of ${name}, one board at a time`,
  stores: (name) => `${name} is a game with stores: its lessons differ from those of oware.`,
  lessons: "Lessons",
  learnt: "done",
  next: "Next lesson",
  again: "Try again",
  show: "Show me",
  play: "Play a game",
  puzzles: "Solve puzzles",
  allDone: (name) => `You know how ${name} is played.`,
  board: {
    sow: {
      title: "Sowing",
      about: "The lower row is yours. A move takes all seeds of one of your pits and drops them one by one into the next pits, to the right and then on around the board.",
      task: "Play a pit from which a seed reaches the upper row.",
      done: "That is sowing. The seeds that reach the upper row belong to your opponent, who may sow them.",
      tip: "All of those seeds stay in your own row. Choose a pit further to the right.",
    },
    lap: {
      title: "Once around",
      about: "A pit with twelve seeds or more goes once around the board. The pit it came from is left out, and stays empty.",
      task: "Play pit F with its 13 seeds.",
      done: "The seeds went once around and left out pit F. The last one landed in the upper row: a full pit often captures at the end of its lap.",
      tip: "That was a short move. Play the full pit.",
    },
    capture: {
      title: "Capturing",
      about: "You capture if your last seed lands in an opponent’s pit and makes two or three there: you take all of its seeds.",
      task: "Capture something. Count where the last seed lands.",
      done: "The last seed made two: they are yours. Before you move, look at pits with one or two seeds, yours and theirs.",
      tip: "Nothing was captured. The last seed must land in the upper row, in a pit with one or two seeds.",
    },
    chain: {
      title: "A chain",
      about: "A capture goes on backwards: as long as the pit before also holds two or three seeds and is in the opponent’s row, you take it too.",
      task: "Capture seven seeds with one move.",
      done: "Three pits in a row: the last one, and the two before it. The chain stops at the first pit that holds another number.",
      tip: "There is a larger capture. Let the last seed land further on, so that the pits before it count as well.",
    },
    feed: {
      title: "Feeding",
      about: {
        required: "The opponent must always be left something to play with. If the upper row is empty, you must play a move that feeds it, if there is one.",
        penalty: "The opponent should be left something to play with. Who leaves the upper row empty although another move would feed it loses all seeds on the board.",
      },
      task: {
        required: "Feed your opponent. Try the other pits: the page says why they may not be played.",
        penalty: "Feed your opponent.",
      },
      done: {
        required: "Your opponent can move again. If no move could feed, the game would end.",
        penalty: "Your opponent can move again. If no move could feed, you would take the seeds that are left.",
      },
      tip: "Your opponent was left without seeds, and takes every seed on the board. Only one move reaches the upper row.",
    },
    slam: {
      title: "The grand slam",
      about: {
        forced: "A grand slam is a capture of all the opponent’s seeds. Under these rules it is not allowed as long as there is another move.",
        illegal: "A grand slam is a capture of all the opponent’s seeds. Under these rules it is never allowed.",
        nothing: "A grand slam is a capture of all the opponent’s seeds. Under these rules the move is allowed, but takes nothing.",
        all: "A grand slam is a capture of all the opponent’s seeds. Under these rules it takes every seed left on the board, too, and ends the game.",
      },
      task: {
        forced: "Pit F would be a grand slam: try it, and read why not. Then play another pit.",
        illegal: "Pit F would be a grand slam: try it, and read why not. Then play another pit.",
        nothing: "Pit F would be a grand slam. Play it, and see what it takes.",
        all: "Pit F is a grand slam. Play it.",
      },
      done: {
        forced: "If every move took all the seeds, one of them would be allowed, and would end the game.",
        illegal: "A player who has no other move left cannot move, and the game ends.",
        nothing: "Nothing was taken: the seeds stay where they were sown. It can still be a good move, as it keeps your own pits safe.",
        all: "The game is over: you took the upper row, and what was left in yours.",
      },
      tip: "That was another move. Try pit F.",
    },
    store: {
      title: "Sowing with a store",
      about: {
        first: "The lower row and the store on the right are yours. A move takes all seeds of a pit; the first one goes back into it, the others go one by one into the next pits, your store, and the opponent’s pits. The opponent’s store is left out.",
        next: "The lower row and the store on the right are yours. A move drops the seeds of a pit one by one into the next pits, your store, and on into the opponent’s pits. The opponent’s store is left out.",
      },
      task: "Play a pit from which a seed reaches your store.",
      done: "Seeds in your store are yours for good.",
      tip: "No seed reached your store. Choose a pit further to the right.",
    },
    again: {
      title: "Moving again",
      about: "If your last seed falls into your own store, you move again.",
      task: "Play a pit whose last seed falls into your store.",
      done: "It is your turn again. A player may move several times in a row like this.",
      tip: "The last seed went elsewhere. Count from the pit to the store.",
    },
    opposite: {
      title: "Capturing opposite",
      about: "If your last seed falls into a pit of yours that was empty, you take it, and all seeds in the opponent’s pit opposite.",
      task: "Capture the five seeds of pit e.",
      done: "Your last seed and the five opposite are in your store.",
      tip: "That is not the largest capture. Which pit of yours lies opposite pit e, and which move ends there?",
    },
    even: {
      title: "Even numbers",
      about: "If your last seed falls into an opponent’s pit and makes its number even, you take all of them.",
      task: "Capture four seeds.",
      done: "Three and one make four, an even number.",
      tip: "Nothing was captured there. Look for an opponent’s pit with an odd number that a last seed can reach.",
    },
    end: {
      title: "The end",
      about: {
        empty: "The game ends when a row is empty. The player whose row is empty takes the seeds of the other row.",
        own: "The game ends when a row is empty. Each player then keeps the seeds in their own row.",
      },
      task: "Play your last seed.",
      done: {
        empty: "Your row was empty first, so you took the six seeds that were left.",
        own: "Your row was empty first, so your opponent kept the six seeds that were left.",
      },
      tip: "The game goes on. Play your last seed.",
    },
  },
};
