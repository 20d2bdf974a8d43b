//! Models that are forged: their checksum is right, what they say is not.

use krou::table::{Codec, Fault, Kind};

use crate::forge::Parts;
use crate::plain::{CONTEXT, ESCAPE, MAX_CONTEXTS, STATES};
use crate::support::{every_tiled_file, fault_of, read_all, small_file};

/// Every byte in turn is every other byte. Not each is an error at once: another
/// share may go to another symbol. But what is decoded then is possible.
#[test]
fn every_byte_of_the_models() {
    let mut refused = 0;
    for file in every_tiled_file() {
        let parts = Parts::of(&file);
        for at in 0..parts.models.len() {
            for change in 1..=255 {
                let mut models = parts.models.clone();
                models[at] ^= change;
                match read_all(parts.with_models(models)) {
                    Ok(()) => (),
                    Err(error) => {
                        let is_right =
                            matches!(error.fault, Fault::DamagedModel | Fault::Block { .. });
                        assert!(is_right, "{error}");
                        refused += 1;
                    }
                }
            }
        }
    }
    assert!(refused > 0);
}

/// Models have one end.
#[test]
fn models_that_are_too_short_or_too_long() {
    for file in every_tiled_file() {
        let parts = Parts::of(&file);
        for length in 1..parts.models.len() {
            let fault = fault_of(parts.with_models(parts.models[..length].to_vec()));
            assert!(matches!(fault, Fault::DamagedModel), "{length}: {fault}");
        }
        for more in [1, 2, 3, 1000, (1 << 19) - parts.models.len()] {
            for byte in [0, CONTEXT, 255] {
                let mut models = parts.models.clone();
                models.resize(models.len() + more, byte);
                assert!(matches!(
                    fault_of(parts.with_models(models)),
                    Fault::DamagedModel
                ));
            }
        }
        let mut models = parts.models.clone();
        models.resize((1 << 19) + 1, 0);
        assert!(matches!(
            fault_of(parts.with_models(models)),
            Fault::Field {
                field: "model length",
                ..
            }
        ));
    }
}

/// The bytes of a distribution with these shares, the escape's last.
fn distribution(shares: &[(u32, u32)]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut put = |number: u32| match u8::try_from(number) {
        Ok(byte @ ..128) => out.push(byte),
        _ => out.extend([(number % 128 + 128) as u8, (number / 128) as u8]),
    };
    put(shares.len() as u32 - 1);
    let mut before = 0;
    for &(symbol, share) in shares {
        if symbol != ESCAPE {
            put(symbol - before);
            before = symbol;
        }
        put(share);
    }
    out
}

/// Whether a model of values of two seeds, with symbols from 0 to 4, is taken.
/// The tiles were made with another one, and need not decode.
fn is_taken(models: Vec<u8>) -> bool {
    let parts = Parts::of(&small_file(Codec::Packed, Kind::Value));
    match read_all(parts.with_models(models)).map_err(|error| error.fault) {
        Ok(()) | Err(Fault::Block { .. }) => true,
        Err(Fault::DamagedModel) => false,
        Err(other) => panic!("{other}"),
    }
}

fn with_one_context(shares: &[(u32, u32)]) -> Vec<u8> {
    [vec![CONTEXT], distribution(shares)].concat()
}

#[test]
fn distributions() {
    let all = STATES;
    for good in [
        vec![(ESCAPE, all)],
        vec![(0, 1), (ESCAPE, all - 1)],
        vec![(4, all - 1), (ESCAPE, 1)],
        vec![(0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (ESCAPE, all - 5)],
    ] {
        assert!(is_taken(with_one_context(&good)), "{good:?}");
    }
    for bad in [
        // Sums.
        vec![(ESCAPE, all - 1)],
        vec![(ESCAPE, all + 1)],
        vec![(ESCAPE, 0)],
        vec![(0, all), (ESCAPE, 0)],
        vec![(0, 0), (ESCAPE, all)],
        vec![(0, all), (ESCAPE, all)],
        vec![(0, 1), (1, (1 << 14) - 1), (ESCAPE, all)],
        // Symbols that there are not, or twice.
        vec![(5, 1), (ESCAPE, all - 1)],
        vec![(255, 1), (ESCAPE, all - 1)],
        vec![((1 << 14) - 1, 1), (ESCAPE, all - 1)],
        vec![(3, 1), (3, 1), (ESCAPE, all - 2)],
        vec![(0, 1), (0, 1), (ESCAPE, all - 2)],
    ] {
        assert!(!is_taken(with_one_context(&bad)), "{bad:?}");
    }
    // More symbols than there are, and bytes that numbers do not need.
    let [low, high] = [(all % 128 + 128) as u8, (all / 128) as u8];
    for bad in [
        vec![CONTEXT, 6, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, low, high],
        vec![CONTEXT, 127, 1, low, high],
        vec![CONTEXT, 0xFF, 0x7F, 1, low, high],
        vec![CONTEXT, 0x80, 0, low, high],
        vec![CONTEXT, 0, low, high + 0x80],
        vec![CONTEXT, 0, low, high + 0x80, 0],
        vec![CONTEXT, 1, 0x80, 0, 1, 0xFF, 1],
        vec![CONTEXT],
        vec![],
    ] {
        if !bad.is_empty() {
            assert!(!is_taken(bad.clone()), "{bad:?}");
        }
    }
    assert!(is_taken(vec![CONTEXT, 0, low, high]));
    assert!(is_taken(vec![CONTEXT, 1, 0, 1, 0xFF, 1]));
}

/// Trees that lean to the left or the right, with so many contexts.
fn leaning(contexts: usize, to_left: bool) -> Vec<u8> {
    // The last feature, which is at most 16.
    let split = [CONTEXT - 1, 3];
    let mut tree = Vec::new();
    for _ in 1..contexts {
        tree.extend(split);
        tree.extend((!to_left).then_some(CONTEXT));
    }
    let rest = if to_left { contexts } else { 1 };
    tree.resize(tree.len() + rest, CONTEXT);
    tree
}

fn with_distributions(mut tree: Vec<u8>, contexts: usize) -> Vec<u8> {
    for _ in 0..contexts {
        tree.extend(distribution(&[(2, STATES - 1), (ESCAPE, 1)]));
    }
    tree
}

#[test]
fn trees_of_too_many_contexts() {
    for to_left in [false, true] {
        for contexts in [1, 2, 3, MAX_CONTEXTS - 1, MAX_CONTEXTS] {
            let tree = leaning(contexts, to_left);
            assert!(is_taken(with_distributions(tree.clone(), contexts)));
            // One distribution too few, one too many.
            assert!(!is_taken(with_distributions(tree.clone(), contexts - 1)));
            assert!(!is_taken(with_distributions(tree, contexts + 1)));
        }
        for contexts in [MAX_CONTEXTS + 1, 256, 257, 1000, 60_000] {
            let tree = leaning(contexts, to_left);
            assert!(!is_taken(with_distributions(tree.clone(), contexts)));
            assert!(!is_taken(with_distributions(tree, contexts % 256)));
        }
    }
}

/// As many questions as the models' bytes can hold: the depth is bounded before
/// the stack is full.
#[test]
fn trees_without_end() {
    for feature in 0..=255 {
        assert!(!is_taken(vec![feature; 1 << 19]));
        assert!(!is_taken([feature, CONTEXT].repeat(1 << 18)));
        assert!(!is_taken([feature, 0, CONTEXT].repeat(1 << 17)));
    }
}

#[test]
fn questions() {
    let two = |feature, most| with_distributions(vec![feature, most, CONTEXT, CONTEXT], 2);
    for feature in 0..=255 {
        for most in [0, 1, 4, 8, 16, 127, 128, 254, 255] {
            // A threshold that is never or always passed leaves a context that no
            // cell has: useless, but no harm.
            let is_known = feature < CONTEXT;
            assert_eq!(is_taken(two(feature, most)), is_known, "{feature} {most}");
        }
    }
}
