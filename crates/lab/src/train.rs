//! `krou-lab train`: trains the network that evaluates boards of the oware family.
//!
//! The last twentieth of each file of samples is not trained on but measures the errors that
//! the program prints.
//!
//! The target of a board is a blend of its score and its outcome. The network is trained
//! in floating point by mini-batch gradient descent with Adam (Kingma and Ba, 2015), with
//! the same random numbers at each run, and rounded to integers at the end.

// Counts fit into the mantissa of a float; weights are rounded on purpose.
#![allow(clippy::cast_precision_loss)]

use std::array;
use std::fs;
use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::Args;
use fastrand::Rng;
use krou::internal::engine::{evaluate, network};
use krou::rules::Ruleset;
use krou_lab::samples::Sample;
use network::{ACTIVE, INPUTS, NEURONS, Network, PHASES};

/// The share of the score in the target; the rest is the outcome's.
const SCORE_SHARE: f32 = 0.6;
/// The weight of boards whose best move captures: a search looks at most captures before
/// it evaluates.
const CAPTURE_WEIGHT: f32 = 0.5;
/// One in this many samples measures errors.
const HELD_OUT: usize = 20;
/// Samples of a mini-batch.
const BATCH: usize = 512;
/// The first learning rate; the last is a hundredth of it.
const RATE: f32 = 0.002;
/// Targets and outputs of the network in floating point are hundredths of a seed divided
/// by this.
const TARGET_SCALE: f32 = 1000.0;

/// The network is that of `src/engine/search/oware.network`.
#[derive(Args)]
pub struct TrainArgs {
    epochs: usize,
    /// File to write.
    output: PathBuf,
    /// Files of `krou-lab selfplay`.
    samples: Vec<PathBuf>,
}

pub fn run(args: &TrainArgs) -> Result<()> {
    let (mut training, mut held_out) = (Vec::new(), Vec::new());
    for file in &args.samples {
        let samples = Sample::read_all(file)?;
        let (train, hold) = samples.split_at(samples.len() - samples.len() / HELD_OUT);
        training.extend(train.iter().map(Example::new));
        held_out.extend_from_slice(hold);
    }
    println!("{} boards, {} held out", training.len(), held_out.len());
    let rules = Ruleset::AWARI;
    report("zero", &held_out, |_| 0.0);
    report("the library", &held_out, |sample| {
        f32::from(evaluate(rules, &sample.board))
    });

    let mut random = Rng::with_seed(1);
    let mut trainer = Trainer::new(&mut random);
    let batches = training.len().div_ceil(BATCH) * args.epochs;
    let mut batch_number = 0;
    for epoch in 1..=args.epochs {
        random.shuffle(&mut training);
        for batch in training.chunks(BATCH) {
            let done = batch_number as f32 / batches as f32;
            let cosine = f32::midpoint(1.0, (std::f32::consts::PI * done).cos());
            trainer.step(batch, RATE * (0.01 + 0.99 * cosine));
            batch_number += 1;
        }
        report(&format!("epoch {epoch}"), &held_out, |sample| {
            TARGET_SCALE * trainer.weights.evaluate(&Example::new(sample))
        });
    }
    let bytes = trainer.weights.to_bytes()?;
    let rounded = Network::from_bytes(&bytes);
    report("rounded", &held_out, |sample| {
        f32::from(rounded.evaluate(&sample.board))
    });
    fs::write(&args.output, bytes)?;
    Ok(())
}

/// Prints the root mean square errors of an evaluation, in seeds.
fn report(name: &str, samples: &[Sample], evaluation: impl Fn(&Sample) -> f32) {
    let rmse = |quiet_only: bool| {
        let (mut sum, mut count) = (0.0, 0.0);
        for sample in samples.iter().filter(|s| !(quiet_only && s.captures)) {
            sum += f64::from((evaluation(sample) - target(sample)) / 100.0).powi(2);
            count += 1.0;
        }
        (sum / count).sqrt()
    };
    println!(
        "{name}: root mean square error {:.3} seeds, {:.3} where the best move does not capture",
        rmse(false),
        rmse(true)
    );
}

/// The target of a sample in hundredths of a seed.
fn target(sample: &Sample) -> f32 {
    SCORE_SHARE * f32::from(sample.score) + (1.0 - SCORE_SHARE) * f32::from(sample.outcome)
}

/// A sample as the network sees it.
#[derive(Clone)]
struct Example {
    active: [u16; ACTIVE],
    phase: u16,
    target: f32,
    weight: f32,
}

impl Example {
    fn new(sample: &Sample) -> Example {
        Example {
            active: network::active_inputs(&sample.board).map(|input| input as u16),
            phase: network::phase(&sample.board) as u16,
            target: target(sample) / TARGET_SCALE,
            weight: if sample.captures { CAPTURE_WEIGHT } else { 1.0 },
        }
    }
}

type Neurons = [f32; NEURONS];

/// The weights in floating point; also their gradients and moments.
#[derive(Clone)]
struct Weights {
    /// The weights of each input, then the output's weights of each phase, then the
    /// output's bias of each phase in the first value of a vector.
    vectors: Vec<Neurons>,
}

impl Weights {
    const VECTORS: usize = INPUTS + 2 * PHASES;

    fn zero() -> Weights {
        Weights {
            vectors: vec![[0.0; NEURONS]; Weights::VECTORS],
        }
    }

    /// The hidden neurons before they are squared.
    fn hidden(&self, example: &Example) -> Neurons {
        let mut sums = [0.0; NEURONS];
        for &input in &example.active {
            for (sum, weight) in sums.iter_mut().zip(&self.vectors[usize::from(input)]) {
                *sum += weight;
            }
        }
        sums.map(|sum: f32| sum.clamp(0.0, 1.0))
    }

    fn output(&self, hidden: &Neurons, phase: u16) -> f32 {
        let phase = usize::from(phase);
        let products: Neurons = array::from_fn(|neuron| {
            hidden[neuron] * hidden[neuron] * self.vectors[INPUTS + phase][neuron]
        });
        self.vectors[INPUTS + PHASES + phase][0] + products.iter().sum::<f32>()
    }

    fn evaluate(&self, example: &Example) -> f32 {
        self.output(&self.hidden(example), example.phase)
    }

    /// The file.
    fn to_bytes(&self) -> Result<[u8; network::BYTES]> {
        let (inputs, outputs) = self.vectors.split_at(INPUTS);
        let (outputs, biases) = outputs.split_at(PHASES);
        let mut bytes = Vec::new();
        for weight in inputs.iter().flatten() {
            let weight = (weight * f32::from(network::ONE)).round() as i16;
            bytes.extend(weight.to_le_bytes());
        }
        let scale = TARGET_SCALE * network::PER_HUNDREDTH as f32;
        let mut most = 0;
        for weights in outputs {
            let rounded = weights.map(|weight| (weight * scale).round() as i32);
            for sign in [1, -1] {
                let sum = rounded.iter().map(|weight| (sign * weight).max(0)).sum();
                most = most.max(sum);
            }
            for weight in rounded {
                bytes.extend(i16::try_from(weight)?.to_le_bytes());
            }
        }
        let scale = scale * network::SQUARED_ONE as f32;
        for bias in biases {
            let bias = (bias[0] * scale).round() as i32;
            bytes.extend(bias.to_le_bytes());
        }
        println!(
            "largest sum of the output's weights of one sign: {most}, of at most {}",
            i32::MAX / network::SQUARED_ONE
        );
        bytes
            .try_into()
            .map_err(|_| anyhow!("the network has another size"))
    }
}

/// Gradient descent with Adam.
struct Trainer {
    weights: Weights,
    gradients: Weights,
    means: Weights,
    squares: Weights,
    /// The powers of Adam's decay rates.
    powers: [f32; 2],
}

impl Trainer {
    /// Adam's decay rates of means and squares.
    const DECAY: [f32; 2] = [0.9, 0.999];

    fn new(random: &mut Rng) -> Trainer {
        let mut symmetric = |size: f32| size * (2.0 * random.f32() - 1.0);
        let mut weights = Weights::zero();
        for (vector, values) in weights.vectors.iter_mut().enumerate() {
            let (size, center) = match vector {
                _ if vector < INPUTS => (0.08, 0.03),
                _ if vector < INPUTS + PHASES => (0.5, 0.0),
                _ => (0.0, 0.0),
            };
            *values = array::from_fn(|_| center + symmetric(size));
        }
        Trainer {
            weights,
            gradients: Weights::zero(),
            means: Weights::zero(),
            squares: Weights::zero(),
            powers: [1.0; 2],
        }
    }

    /// Changes the weights after a mini-batch.
    fn step(&mut self, batch: &[Example], rate: f32) {
        self.gradients.vectors.fill([0.0; NEURONS]);
        for example in batch {
            self.add_gradient(example, 2.0 / batch.len() as f32);
        }
        let [decay, square_decay] = Trainer::DECAY;
        self.powers = [self.powers[0] * decay, self.powers[1] * square_decay];
        let [scale, square_scale] = self.powers.map(|power| 1.0 / (1.0 - power));
        let limit = f32::from(network::MAX_WEIGHT) / f32::from(network::ONE);
        for vector in 0..Weights::VECTORS {
            let limit = if vector < INPUTS { limit } else { f32::MAX };
            for neuron in 0..NEURONS {
                let gradient = self.gradients.vectors[vector][neuron];
                let mean = &mut self.means.vectors[vector][neuron];
                *mean = decay * *mean + (1.0 - decay) * gradient;
                let square = &mut self.squares.vectors[vector][neuron];
                *square = square_decay * *square + (1.0 - square_decay) * gradient * gradient;
                let change = *mean * scale / ((*square * square_scale).sqrt() + 1e-8);
                let weight = &mut self.weights.vectors[vector][neuron];
                *weight = (*weight - rate * change).clamp(-limit, limit);
            }
        }
    }

    fn add_gradient(&mut self, example: &Example, scale: f32) {
        let phase = usize::from(example.phase);
        let hidden = self.weights.hidden(example);
        let error = self.weights.output(&hidden, example.phase) - example.target;
        let slope = scale * example.weight * error;
        self.gradients.vectors[INPUTS + PHASES + phase][0] += slope;
        let outputs = &self.weights.vectors[INPUTS + phase];
        let mut sums = [0.0; NEURONS];
        for neuron in 0..NEURONS {
            let inside = hidden[neuron] > 0.0 && hidden[neuron] < 1.0;
            let slope = if inside { slope } else { 0.0 };
            sums[neuron] = 2.0 * hidden[neuron] * slope * outputs[neuron];
        }
        let outputs = &mut self.gradients.vectors[INPUTS + phase];
        for neuron in 0..NEURONS {
            outputs[neuron] += slope * hidden[neuron] * hidden[neuron];
        }
        for &input in &example.active {
            for (gradient, sum) in self.gradients.vectors[usize::from(input)]
                .iter_mut()
                .zip(&sums)
            {
                *gradient += sum;
            }
        }
    }
}
