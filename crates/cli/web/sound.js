// Quiet sounds of seeds.

let context = null;

/** A short tone that fades out. */
function tone(frequency, volume, length, delay = 0) {
  context ??= new AudioContext();
  const start = context.currentTime + delay;
  const oscillator = new OscillatorNode(context, { type: "triangle", frequency });
  const gain = new GainNode(context, { gain: volume });
  gain.gain.setValueAtTime(volume, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + length);
}

/** A seed falls into a pit. */
export function drop() {
  tone(300 + 60 * Math.random(), 0.05, 0.07);
}

/** Seeds are captured. */
export function capture() {
  tone(520, 0.06, 0.16);
  tone(780, 0.05, 0.2, 0.09);
}
