// How much of a build is done, and how long the rest takes: an estimate from the boards of
// its layers and what each phase of a layer takes.

/** The share of a layer's work that is done when a phase begins and when it ends. The phase
 * repeats its sweeps until nothing changes; each takes half of what is left of its share. */
const PHASES = {
  conversions: [0, 0.15],
  values: [0.15, 0.55],
  bounds: [0.55, 0.75],
  distances: [0.75, 0.97],
  packing: [0.97, 1],
};
/** The first part of a build says little about the rest. */
const LEAST_DONE = 0.02;
const LEAST_TIME = 2000;

/** The number of boards of a layer: ways to put seeds into twelve pits. */
function boards(seeds) {
  let number = 1;
  for (let one = 1; one <= 11; one++) number = (number * (seeds + one)) / one;
  return number;
}

export class Progress {
  /** Of a build of the layers from `first` to `last`. */
  constructor(first, last) {
    this.layers = [];
    for (let seeds = first; seeds <= last; seeds++) this.layers.push(seeds);
    this.all = this.layers.reduce((sum, seeds) => sum + boards(seeds), 0);
    this.begun = performance.now();
    this.done = 0;
    /** The layer in work, or null before the first one. */
    this.layer = null;
  }

  /** Takes in what the build tells: a layer, its phase and sweep, and the boards done in it. */
  tell({ seeds, phase, sweep = 1, boards: number, done }) {
    this.layer = seeds;
    const [from, to] = PHASES[phase] ?? [0, 1];
    const left = (to - from) * 0.5 ** (Math.max(sweep, 1) - 1);
    const share = to - left + (number ? (0.5 * left * done) / number : 0);
    const below = this.layers.filter((one) => one < seeds).reduce((sum, one) => sum + boards(one), 0);
    // What is done never shrinks.
    this.done = Math.max(this.done, (below + share * boards(seeds)) / this.all);
  }

  /** The share that is done, and the seconds that are left or null. */
  estimate() {
    const time = performance.now() - this.begun;
    const known = this.done >= LEAST_DONE && time >= LEAST_TIME;
    return { done: this.done, left: known ? (time * (1 - this.done)) / this.done / 1000 : null };
  }
}
