//! Game files: any bytes are games or errors of one short sentence, and a game that is written
//! is read back.

use krou::ogn::{SavedGame, decode};
use krou::rules::Ruleset;

/// The first byte selects the ruleset of games that name none; the rest is a game file.
pub fn run(data: &[u8]) {
    let Some((&choice, rest)) = data.split_first() else {
        return;
    };
    let (_, rules) = Ruleset::NAMED[usize::from(choice) % Ruleset::NAMED.len()];
    let games = SavedGame::parse_all(&decode(rest), rules);
    for game in games.unwrap_or_else(|error| vec![Err(error)]) {
        match game {
            Ok(saved) => {
                let written = saved.to_string();
                let again = SavedGame::parse(&written, rules);
                let again = again.unwrap_or_else(|error| panic!("{error}: {written:?}"));
                assert_eq!(again.record().letters(), saved.record().letters());
                assert_eq!(again.to_string(), written);
            }
            Err(error) => {
                let message = error.to_string();
                assert!(!message.is_empty() && message.len() < 500, "{message}");
                assert!(!message.contains(char::is_control), "{message:?}");
            }
        }
    }
}
