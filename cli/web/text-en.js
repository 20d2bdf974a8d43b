// The texts of the page in English. Every language has the same keys; a text that needs
// names or numbers is a function with the same parameters in every language.

import { help, ruleset } from "./help-text-en.js";
import learn from "./learn-text-en.js";
import lesson from "./lesson-text-en.js";
import { puzzles, trainer } from "./puzzles-text-en.js";

const NAMES = { south: "South", north: "North" };
const plural = (number, one, many) => `${number} ${number === 1 ? one : many}`;
const seeds = (number) => plural(number, "seed", "seeds");
const plies = (number) => plural(number, "ply", "plies");
/** The server's sentence with a capital letter, or another one. */
const sentence = (text, otherwise) => (text ? `${text[0].toUpperCase()}${text.slice(1)}.` : otherwise);
const pits = (player) => (player === "south" ? "A to F" : "a to f");

export default {
  code: "en",
  name: "English",
  /** A decimal number with one place; the sign is added elsewhere. */
  decimal: (number) => number.toFixed(1),
  large: (number) => number.toLocaleString("en"),

  players: NAMES,

  puzzles,
  trainer,
  learn,
  lesson,

  page: {
    title: "krou: oware with exact endgames",
    rules: "Rules",
    language: "Language",
    newGame: "New game",
    editBoard: "Edit board",
    copyLink: "Copy link",
    copied: "Copied",
    help: "Help",
    close: "Close",
    noScript: "This page needs JavaScript. The JSON API works without it.",
    board: "Board",
    steps: "Back and forward",
    first: "To the start",
    firstTitle: "To the start (Home)",
    back: "Back one move",
    backTitle: "Back (←)",
    forward: "Forward one move",
    forwardTitle: "Forward (→)",
    last: "To the last move",
    lastTitle: "To the last move (End)",
    undo: "Undo",
    redo: "Redo",
    loading: "Loading …",
    flip: "Flip board",
    tryAgain: "Try again",
  },

  views: {
    label: "Views",
    tagline: "Play and study oware, with endgames solved exactly.",
    play: "Play",
    analyse: "Analyse",
    puzzles: "Puzzles",
    learn: "Learn",
  },

  title: {
    position: (rules, ply, verdict) => `${verdict ? `${verdict} · ` : ""}${ply > 0 ? `move ${ply} · ` : ""}${rules} · krou`,
  },

  welcome: {
    text: "New to oware? Pick one of your pits: its seeds are sown one by one, anticlockwise. If the last seed makes two or three in an opponent’s pit, you capture them. The most seeds win.",
    how: "How to play",
    close: "Got it",
  },

  examples: {
    title: "Try one",
    trap: "A trap",
    trapTitle: "South to move: both captures lose, one quiet move wins",
    draw: "Hold the draw",
    drawTitle: "South to move: only one move draws",
    long: "A long win",
    longTitle: "A won endgame with the next capture 59 plies away",
    start: "Start position",
    startTitle: "The start of a game, estimated by the engine",
    game: "A whole game",
    gameTitle: "A game to step through and to review",
    random: "Random endgame",
    randomTitle: "A few seeds in random pits, known to the tables",
  },

  board: {
    row: (player) => `${NAMES[player]}’s pits`,
    pitOf: (player) => `${NAMES[player]}’s pit`,
    preview: (letter, to, taken) => `${letter}: the last seed falls into ${to}${taken > 0 ? ` and captures ${seeds(taken)}` : ""}.`,
    store: "store",
    seeds,
    lead: (lead) => `final lead ${lead}`,
    estimate: (lead) => `estimated final lead ${lead}`,
    best: "best",
    playedLast: "played last",
    notPlayable: "cannot be played",
    source: "seeds are taken from here",
    toMove: "to move",
  },

  status: {
    toMove: (player) => `${NAMES[player]} to move`,
    thinking: (player) => `${NAMES[player]} is thinking …`,
    waiting: (player) => `${NAMES[player]} to move, played by the opponent`,
    over: "Game over",
    editing: "Editing the board",
  },

  verdict: {
    exact: "exact",
    estimate: "estimate",
    bounds: "bounds",
    exactTitle: "Proven by the tables or by a complete search",
    estimateTitle: "From the engine’s search; not proven",
    boundsTitle: "The result depends on how endless play is settled",
    asking: "Looking at the position …",
    estimating: "The engine is thinking …",
    unknown: "No value yet",
    wins: (player, more, less) => `${NAMES[player]} wins ${more} to ${less}`,
    winsBy: (player, lead) => `${NAMES[player]} wins by ${seeds(lead)}`,
    winsAtLeast: (player, lead) => `${NAMES[player]} wins by at least ${seeds(lead)}`,
    winsSomehow: (player) => `${NAMES[player]} wins`,
    drawn: (each) => `A draw, ${each} each`,
    drawnSomehow: "A draw",
    open: "Not decided",
    even: "About even",
    slightly: (player) => `${NAMES[player]} is slightly ahead`,
    ahead: (player) => `${NAMES[player]} is ahead`,
    clearly: (player) => `${NAMES[player]} is clearly ahead`,
    withBestPlay: "With best play by both players.",
    distance: (number) => `Next capture or end of the game in ${plies(number)}.`,
    between: (player, low, high) => `${NAMES[player]}’s final lead is between ${low} and ${high}, depending on how endless play is settled.`,
    about: (player, lead) => `${NAMES[player]} is expected to finish about ${lead} seeds ahead.`,
    aboutEven: "Both players are expected to finish with about the same number of seeds.",
    unclaimed: (number) => `${seeds(number)} ${number === 1 ? "goes" : "go"} to neither player.`,
  },

  over: {
    drawn: (each) => `Drawn, ${each} each`,
    majority: ({ winner, most, total }) => `${NAMES[winner]} has more than half of the seeds: ${most} of ${total}.`,
    noMove: ({ toMove }) => `${NAMES[toMove]} has no legal move. The seeds left are shared out by the rules.`,
    grandSlam: ({ mover, other }) => `${NAMES[mover]} captured ${NAMES[other]}’s last seeds and takes the seeds left on the board.`,
    starved: ({ mover, other }) => `${NAMES[mover]} left ${NAMES[other]} without seeds although another move would not have: ${NAMES[other]} takes every seed on the board.`,
    emptyRow: () => "A row is empty. The seeds left are shared out by the rules.",
    repetition: () => "The position occurred for the third time. The seeds left are shared out by the rules.",
    unknown: ({ reason }) => reason,
  },

  moves: {
    sentence: ({ player, letter, captured, again }) =>
      `${NAMES[player]} plays ${letter}${captured > 0 ? ` and captures ${captured}` : ""}${again ? ", and moves again" : ""}.`,
    label: (number, move, mark, lost) =>
      `Move ${number}: ${move}${mark ? `, ${mark}` : ""}${lost ? `, gave away ${lost}` : ""}`,
    mark: { inaccuracy: "inaccuracy", mistake: "mistake", blunder: "blunder" },
    about: (number) => `about ${number}`,
    turningPoint: "turning point",
  },

  game: {
    title: "Game",
    moves: "Moves",
    review: "Review game",
    reviewing: (done, all) => `Stop the review (${done} of ${all})`,
    files: "Save or load",
    playHere: "Play from here",
    variation: (number, letter) => `Variation in place of move ${number}, ${letter}`,
    promote: "Make it the main line",
    remove: "Remove the variation",
    reviewed: "The review is complete.",
  },

  graph: {
    keyExact: "South’s final lead, exact",
    keyEstimate: "estimate",
    keyTaken: "lead in captured seeds",
    empty: "“Review game” estimates every position of the game.",
    hidden: "Values are hidden.",
    none: "Graph of the game: no values yet.",
    here: (now, last) => `Graph of the game: South’s final lead is ${now} here, ${last} at the last known position.`,
    notKnownHere: "not known",
    move: (number, move, value) => `Move ${number}, ${move}: ${value}`,
    start: (value) => `Start: ${value}`,
  },

  analysis: {
    title: "Moves",
    line: "Best line",
    playBest: "Play best move",
    hide: "Hide values",
    show: "Show values",
    fromTables: "exact, from the tables",
    tablesWithBounds: "from the tables",
    depth: (depth, selective) => `estimate, depth ${depth}${selective > depth ? ` to ${selective}` : ""}`,
    exactSearch: "exact, by search",
    nodes: (nodes) => `${nodes} positions searched`,
    asking: "…",
    searching: "The engine is searching …",
    hidden: "Values are hidden.",
    over: "The game is over.",
    thinking: "The engine is choosing a move.",
    wins: (score) => (score ? `wins ${score}` : "wins"),
    loses: (score) => (score ? `loses ${score}` : "loses"),
    draws: (score) => (score ? `draws ${score}` : "draws"),
    score: (own, other) => `${own}–${other}`,
    bounds: (low, high) => `${low} to ${high}`,
    plies,
    play: (move) => `Play ${move}`,
    playUpTo: (move) => `Play up to ${move}`,
    end: {
      over: "The game is over.",
      loop: "The position repeats.",
      missing: "The tables end here.",
      length: "The line goes on.",
    },
    paused: "The engine is paused.",
    longer: "Think longer",
    pause: "Pause",
    goOn: "Go on",
    lines: "Lines",
    noLine: "No line known yet.",
    lineEstimate: "The line is what the engine expects.",
  },


  play: {
    title: "A new game",
    opponent: "Opponent",
    side: "You play",
    south: "South, first",
    north: "North",
    random: "Random",
    start: "Start",
    fromPosition: "The game starts from the position on the board.",
    challenge: "Copy a challenge link",
    against: (name) => `Against ${name}`,
    youAre: (player) => `You are ${NAMES[player]}.`,
    level: (level) => `level ${level}`,
    levelAbout: (level) => `The engine at level ${level} of 10.`,
    yourTurn: (player) => `Your turn, ${NAMES[player]}`,
    won: (own, other) => `You win ${own} to ${other}`,
    lost: (own, other) => `You lose ${own} to ${other}`,
    drawn: (each) => `A draw, ${each} each`,
    rematch: "Rematch",
    swap: "Swap sides",
    review: "Review the game",
  },

  // Named by the opponent, and the level of the engine.
  opponents: {
    none: { name: "Two players", about: "You play both sides, or with a friend at this screen." },
    random: { name: "Chance", about: "Plays any legal move: for the very first games." },
    "engine-1": { name: "Beginner", about: "Looks two moves ahead and often errs (level 1 of 10)." },
    "engine-3": { name: "Casual player", about: "Looks a few moves ahead and errs now and then (level 3 of 10)." },
    "engine-5": { name: "Club player", about: "Looks further ahead and makes small mistakes (level 5 of 10)." },
    "engine-7": { name: "Strong player", about: "Searches deeply and never gives away what the tables know (level 7 of 10)." },
    "engine-9": { name: "Master", about: "Searches ten times as much as the strong player (level 9 of 10)." },
    perfect: { name: "Perfect endgame", about: "The strongest search, with opening book, and without an error once the tables know the position." },
  },

  settings: {
    title: "Settings",
    speed: "Sowing",
    normal: "seed by seed",
    slow: "seed by seed, slowly",
    off: "all at once",
    sound: "Quiet sounds",
  },

  editor: {
    tool: "What a click on a pit or store does",
    move: "move",
    add: "+ add",
    remove: "− remove",
    turn: "Change side to move",
    empty: "Empty board",
    rest: "Rest to the stores",
    seeds: (number, most) => `${number} of ${most} seeds`,
    notation: "Board",
    set: "Set",
    cancel: "Discard changes",
    done: "Done",
    hintMove: "Drag a seed, or click a pit or store to take seeds from, then click where each seed goes.",
    hintSource: (place) => `Each click moves a seed out of ${place}. Click ${place} again to stop.`,
    hintAdd: "A click adds a seed, a right click removes one.",
    hintRemove: "A click removes a seed.",
    pit: (letter) => `pit ${letter}`,
    store: (player) => `${NAMES[player]}’s store`,
    full: (most) => `A game has at most ${most} seeds: move or remove some first.`,
    nothing: (place) => `There is no seed in ${place}.`,
  },

  link: {
    title: "Link to this position",
    text: "This browser does not let the page copy. The link is selected: copy it with the keyboard or the menu.",
  },

  files: {
    title: "Save or load a game",
    text: "The game as text in OGN, the Oware Game Notation. Replace it by another game or a list of moves to load it.",
    load: "Load this text",
    open: "Open a file …",
    download: "Download",
    copy: "Copy",
    tooLarge: "The file is too large: a game has at most 64 KiB.",
    unreadable: "The file could not be read.",
    asking: "…",
  },

  notice: {
    notYourTurn: (player) => `It is ${NAMES[player]}’s turn, whose pits are ${pits(player)}.`,
    thinking: (player) => `${NAMES[player]} is thinking: wait for the move, or take yours back.`,
    opponentsPit: (player) => `${NAMES[player]} is played by the opponent.`,
    letMove: "Let it move",
    gameOver: "The game is over.",
    engineLoads: "The engine is still being loaded. It answers as soon as it is there.",
    newGame: "A new game has begun.",
    backToGame: "Back to the last game",
    shortened: (found, given) => `${sentence(found, `Move ${given} is not legal.`)} The moves before it are shown.`,
  },

  illegal: {
    empty: (letter) => `Pit ${letter} is empty.`,
    mustFeed: (letter) => `Pit ${letter} would leave the opponent without seeds: a move that feeds must be played.`,
    cannotFeed: (letter) => `Pit ${letter} would leave the opponent without seeds.`,
    grandSlam: (letter) => `Pit ${letter} would capture the opponent’s last seeds while another move would not.`,
    grandSlamBanned: (letter) => `Pit ${letter} would capture the opponent’s last seeds, which these rules never allow.`,
    unknown: (letter, reason) => sentence(reason, `Pit ${letter} cannot be played.`),
  },

  error: {
    "no-connection": () => "The server cannot be reached. Check that it is running and that you are online.",
    "not-found": () => "The server does not have what the page asked for. Reload the page.",
    "unknown-ruleset": ({ error }) => sentence(error, "There is no such ruleset."),
    method: () => "The server refused the request. Reload the page.",
    "too-long": () => "The game is too long for the server.",
    parameter: ({ error }) => sentence(error, "The server did not understand the request."),
    board: ({ error }) => sentence(error, "The board is not valid."),
    move: ({ error, ply, letter }) => sentence(error, `Move ${ply}, ${letter}, is not legal.`),
    ogn: ({ error }) => sentence(error, "The text is not a game."),
    "game-over": () => "The game is over.",
    "no-puzzles": ({ rules }) => `The puzzles of ${rules} are missing on this site. Reload the page, or choose other rules.`,
    "missing-table": () => "There is no table for this position.",
    busy: () => "The server is busy.",
    timeout: () => "The answer took too long.",
    table: () => "A table on the server is damaged; its log names the file.",
    internal: () => "The server failed.",
    forbidden: () => "The server does not answer this page at this address: see --allow-host in its help.",
    failed: ({ status }) => `The server failed${status ? ` (${status})` : ""}.`,
    page: ({ error }) => `The page failed: ${error}`,
    worker: ({ error }) => `The calculation in this browser failed${error ? `: ${error}` : ""}. Try again, or reload the page.`,
    "stored-table": () => "A table that is stored in this browser is damaged: remove the tables of these rules and solve them again.",
    storage: ({ error }) => `This browser cannot store tables${error ? `: ${error}` : ""}. Free space, or leave private browsing.`,
  },

  ruleset,

  solver: {
    title: "Solve in this browser",
    about: "Computes exact values for more seeds. The tables stay in this browser, also after a reload; nothing is sent anywhere.",
    fetched: (host, requests, bytes) => `Read from the tables of ${host}: ${(bytes / 1000).toFixed(0)} kB in ${requests} requests.`,
    upTo: "Up to",
    seeds,
    start: "Solve",
    stop: "Stop",
    done: (name, most) => `All of ${name} that can be solved here is known: up to ${seeds(most)}.`,
    phase: (name, layer, last, left) => {
      if (layer === null) return `Preparing ${name} …`;
      const time = left === null ? "" : `, about ${left < 90 ? `${Math.max(Math.ceil(left / 5) * 5, 5)} s` : `${Math.ceil(left / 60)} min`} left`;
      return `${name}: layer ${layer} of ${last}${time}`;
    },
    finished: (name, number) => `${name} is solved up to ${seeds(number)}.`,
    storedTitle: "Stored here",
    stored: (name, number, bytes) => `${name} up to ${seeds(number)}, ${(bytes / 1e6).toFixed(1)} MB`,
    remove: "Remove",
    removeLabel: (name) => `Remove the tables of ${name}`,
  },

  help,
};
