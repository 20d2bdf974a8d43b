// What the page has learnt: values from the tables and the events of moves by position, and
// estimates and reviewed moves by game. The oldest entries are forgotten.

import { upTo } from "./address.js";

const MAX_ENTRIES = 3000;

function remember(map, key, value) {
  map.delete(key);
  map.set(key, value);
  if (map.size > MAX_ENTRIES) map.delete(map.keys().next().value);
}

function gameKey(state, ply) {
  const { rules, start, moves } = upTo(state, ply);
  return `${rules} ${start} ${moves}`;
}

/** Who adds to it updates the state afterwards. */
export class Knowledge {
  constructor() {
    this.positions = new Map();
    this.estimates = new Map();
    this.reviewed = new Map();
    this.reviews = new Map();
  }

  /** Forgets the values from the tables, for a server that may have other ones. */
  forgetTables() {
    this.positions.clear();
  }

  /** The answer about a position, or undefined: see `api.position`. */
  position(rules, position) {
    return this.positions.get(`${rules} ${position}`);
  }

  addPosition(rules, position, found) {
    remember(this.positions, `${rules} ${position}`, found);
  }

  /** The events of a move of a position, or null if they are not known. */
  events(rules, position, letter) {
    const moves = this.position(rules, position)?.sowings.moves ?? [];
    return moves.find((move) => move.letter === letter)?.events ?? null;
  }

  /** The estimate of a position of a game, or undefined. */
  estimate(state, ply) {
    return this.estimates.get(gameKey(state, ply));
  }

  /** Keeps an estimate unless one of more moves, or a deeper one, is known. */
  addEstimate(state, ply, found) {
    const before = this.estimate(state, ply);
    const more = before ? found.lines.length - before.lines.length : 1;
    const deeper = found.exact || (!before?.exact && found.depth >= before?.depth);
    if (more > 0 || (more === 0 && deeper)) remember(this.estimates, gameKey(state, ply), found);
  }

  /** The review of the move that leads to a ply, or undefined. */
  reviewedMove(state, ply) {
    return this.reviewed.get(gameKey(state, ply));
  }

  addReviewedMove(state, ply, found) {
    remember(this.reviewed, gameKey(state, ply), found);
  }

  /** The review of a whole game, or undefined. */
  review(state) {
    return this.reviews.get(gameKey(state));
  }

  addReview(state, review) {
    remember(this.reviews, gameKey(state), review);
  }
}
