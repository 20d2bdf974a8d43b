//! Forged models: their checksum is right, their content is not.

use std::sync::LazyLock;

use krou::internal::table::Fault;
use krou::table::{Codec, Kind};

use crate::parts::Parts;
use crate::support::{every_tiled_file, fault_of, read_all, small_file};
use crate::text_reader::{CONTEXT, ESCAPE, MAX_CONTEXTS, STATES};

/// Each byte in turn takes every other number. Some changes are valid models, such as
/// another symbol with the same share; then all decoded entries are possible.
#[test]
fn changed_bytes_are_rejected_or_decode_to_possible_entries() {
    let mut rejected = 0;
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
                            matches!(error.fault(), Fault::DamagedModel | Fault::Block { .. });
                        assert!(is_right, "{error}");
                        rejected += 1;
                    }
                }
            }
        }
    }
    assert!(rejected > 0);
}

#[test]
fn models_of_another_length_are_rejected() {
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

/// The bytes of a distribution with these shares, that of the escape last.
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

/// Whether a model of values of two seeds, with symbols from 0 to 4, is accepted. The
/// tiles were encoded with another one and need not decode.
fn is_accepted(models: Vec<u8>) -> bool {
    static PARTS: LazyLock<Parts> =
        LazyLock::new(|| Parts::of(&small_file(Codec::Packed, Kind::Value)));
    match read_all(PARTS.with_models(models)).map_err(krou::table::TableError::into_fault) {
        Ok(()) | Err(Fault::Block { .. }) => true,
        Err(Fault::DamagedModel) => false,
        Err(other) => panic!("{other}"),
    }
}

fn with_one_context(shares: &[(u32, u32)]) -> Vec<u8> {
    [vec![CONTEXT], distribution(shares)].concat()
}

#[test]
fn invalid_distributions_are_rejected() {
    let all = STATES;
    for good in [
        vec![(ESCAPE, all)],
        vec![(0, 1), (ESCAPE, all - 1)],
        vec![(4, all - 1), (ESCAPE, 1)],
        vec![(0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (ESCAPE, all - 5)],
    ] {
        assert!(is_accepted(with_one_context(&good)), "{good:?}");
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
        // Symbols out of range, or repeated.
        vec![(5, 1), (ESCAPE, all - 1)],
        vec![(255, 1), (ESCAPE, all - 1)],
        vec![((1 << 14) - 1, 1), (ESCAPE, all - 1)],
        vec![(3, 1), (3, 1), (ESCAPE, all - 2)],
        vec![(0, 1), (0, 1), (ESCAPE, all - 2)],
    ] {
        assert!(!is_accepted(with_one_context(&bad)), "{bad:?}");
    }
    // Too many symbols, and numbers with an unnecessary second byte.
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
            assert!(!is_accepted(bad.clone()), "{bad:?}");
        }
    }
    assert!(is_accepted(vec![CONTEXT, 0, low, high]));
    assert!(is_accepted(vec![CONTEXT, 1, 0, 1, 0xFF, 1]));
}

/// A tree whose splits are all in left or all in right branches.
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
fn trees_with_too_many_contexts_are_rejected() {
    for to_left in [false, true] {
        for contexts in [1, 2, 3, MAX_CONTEXTS - 1, MAX_CONTEXTS] {
            let tree = leaning(contexts, to_left);
            assert!(is_accepted(with_distributions(tree.clone(), contexts)));
            // One distribution too few, one too many.
            assert!(!is_accepted(with_distributions(tree.clone(), contexts - 1)));
            assert!(!is_accepted(with_distributions(tree, contexts + 1)));
        }
        for contexts in [MAX_CONTEXTS + 1, 256, 257, 1000, 60_000] {
            let tree = leaning(contexts, to_left);
            assert!(!is_accepted(with_distributions(tree.clone(), contexts)));
            assert!(!is_accepted(with_distributions(tree, contexts % 256)));
        }
    }
}

/// As many splits as the models' bytes can hold: the depth is limited before the stack
/// overflows.
#[test]
fn very_deep_trees_are_rejected() {
    for feature in 0..=255 {
        assert!(!is_accepted(vec![feature; 1 << 19]));
        assert!(!is_accepted([feature, CONTEXT].repeat(1 << 18)));
        assert!(!is_accepted([feature, 0, CONTEXT].repeat(1 << 17)));
    }
}

#[test]
fn unknown_features_are_rejected() {
    let two = |feature, most| with_distributions(vec![feature, most, CONTEXT, CONTEXT], 2);
    for feature in 0..=255 {
        for most in [0, 1, 4, 8, 16, 127, 128, 254, 255] {
            // A threshold that is never or always exceeded leaves a context that no
            // cell has, which is allowed.
            let is_known = feature < CONTEXT;
            assert_eq!(
                is_accepted(two(feature, most)),
                is_known,
                "{feature} {most}"
            );
        }
    }
}
