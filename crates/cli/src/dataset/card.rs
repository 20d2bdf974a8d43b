//! The README of a data set: what it is, how it was made, and what to compare with.

use indicatif::HumanCount;
use krou::rules::Ruleset;
use sha2::{Digest, Sha256};

use super::DatasetArgs;
use super::baselines::PlayerScore;
use super::facts::BoardFacts;
use super::output::{Columns, DatasetFormat, ILLEGAL};
use crate::version::SHORT;

/// What a card is about.
pub struct Card<'d> {
    pub rules: Ruleset,
    pub args: &'d DatasetArgs,
    pub columns: Columns,
    /// The boards to train with, and those for the test.
    pub parts: [&'d [BoardFacts]; 2],
    /// The files with these boards.
    pub files: &'d [(String, Vec<u8>)],
    pub baselines: &'d [PlayerScore],
}

impl Card<'_> {
    /// The text.
    pub fn text(&self) -> String {
        [
            self.what(),
            self.files(),
            self.columns(),
            self.layers(),
            self.baselines(),
            LICENCE.to_owned(),
        ]
        .join("\n")
    }

    fn what(&self) -> String {
        let (rules, args) = (self.rules, self.args);
        let (first, last) = (args.seeds.start(), args.seeds.end());
        let (count, seed, format) = (args.count, args.seed, args.format.extension());
        let choices = rules.oware().map_or_else(String::new, |rules| {
            format!(
                " (grand slam {}, feeding {}, leftovers {}, endless play {})",
                rules.grand_slam, rules.feeding, rules.leftovers, rules.endless
            )
        });
        format!(
            "# Boards of {rules} with {first} to {last} seeds, and what they are worth\n\n\
             Boards of a mancala game, each with its exact value under best play by both players, \
             and the exact worth of each move. The values are from endgame tables, which hold every \
             board with so few seeds.\n\n\
             - Rules: `{rules}`{choices}, as docs/rules.md of krou describes them\n\
             - Made by krou {SHORT}, which writes the same bytes for the same command: `krou dataset \
             --rules {rules} --seeds {first}..{last} --count {count} --seed {seed} --format {format} \
             --out DIR`\n\n\
             In each layer (the boards with the same number of seeds) up to {} boards are drawn \
             uniformly from the index, and up to {} are from games: of two opponents of krou's levels 1 \
             to 10, after 2 to 24 random moves, with one later move in eight at random; one board of \
             a layer from each game. No board is there twice.\n",
            count - count / 2,
            count / 2
        )
    }

    fn files(&self) -> String {
        let row = |((name, bytes), boards): (&(String, Vec<u8>), &&[BoardFacts])| {
            let boards = HumanCount(boards.len() as u64);

            format!(
                "| `{name}` | {boards} | {} | `{:x}` |\n",
                HumanCount(bytes.len() as u64),
                Sha256::digest(bytes)
            )
        };
        let rows: String = self.files.iter().zip(&self.parts).map(row).collect();
        format!(
            "## Files\n\n| file | boards | bytes | SHA-256 |\n| --- | ---: | ---: | --- |\n{rows}\n\
             The highest fifth of the layers is for the test, whole: boards of one layer are \
             neighbours by quiet moves, and a random split would put neighbours, whose values often differ by \
             the sign alone, on both sides. Moves lead to the same layer or to lower ones, so none \
             leads from a board to train with to one for the test.\n"
        )
    }

    fn columns(&self) -> String {
        let is_npz = self.args.format == DatasetFormat::Npz;
        let last = self.args.seeds.end();
        let (unknown, illegal) = match is_npz {
            true => ("`-1`".to_owned(), format!("`{ILLEGAL}`")),
            false => ("empty".to_owned(), "empty".to_owned()),
        };
        let name = |npz: &'static str, csv: &'static str| if is_npz { npz } else { csv };
        let values = format!("net seeds for the mover, −{last} to {last}");
        let mut rows = vec![
            (
                name("`boards`, uint8 (N, 12)", "`p0` to `p11`"),
                format!(
                    "seeds in each pit, 0 to {last}: the mover's row first, both rows in sowing order"
                ),
            ),
            (
                name("`value`, int8", "`value`"),
                format!("{values}: what the mover still takes minus what the opponent takes"),
            ),
        ];
        if self.columns.has_bounds {
            rows.push((
                name("`lower`, `upper`, int8", "`lower`, `upper`"),
                format!("{values}: the value if a repetition is stopped where that is worst and best for the mover"),
            ));
        }
        if self.columns.has_distances {
            rows.push((
                name("`distance`, int16", "`distance`"),
                format!(
                    "plies to the next capture or end, 0 or more; {unknown} where the value is 0, \
                     only a loop attains it, or there is no table"
                ),
            ));
        }
        rows.push((
            name("`moves`, int8 (N, 6)", "`m0` to `m5`"),
            format!("{values}: what each pit of the mover is worth, captures included; {illegal} where it may not be played"),
        ));
        rows.push((
            name("`game`, bool", "`game`"),
            "whether the board is from a game (1) or drawn uniformly (0)".to_owned(),
        ));
        let rows: Vec<String> = rows
            .iter()
            .map(|(name, what)| format!("| {name} | {what} |\n"))
            .collect();
        let rows = rows.concat();
        format!("## Columns\n\n| column | meaning |\n| --- | --- |\n{rows}")
    }

    fn layers(&self) -> String {
        let mut text =
            "## Layers\n\n| seeds | part | drawn | from games |\n| ---: | --- | ---: | ---: |\n"
                .to_owned();
        for seeds in self.args.seeds.clone() {
            for (part, boards) in ["train", "test"].iter().zip(&self.parts) {
                let layer = || boards.iter().filter(|facts| facts.board.seeds() == seeds);
                let all = layer().count();
                let played = layer().filter(|facts| facts.is_from_game).count();
                if all > 0 {
                    text += &format!("| {seeds} | {part} | {} | {played} |\n", all - played);
                }
            }
        }
        text
    }

    fn baselines(&self) -> String {
        let boards = self.baselines.first().map_or(0, |baseline| baseline.boards);
        let row = |baseline: &PlayerScore| {
            format!(
                "| {} | {:.1} % | {:.1} % | {:.2} |\n",
                baseline.player,
                100.0 * baseline.keeps_value,
                100.0 * baseline.keeps_result,
                baseline.lost
            )
        };
        let rows: String = self.baselines.iter().map(row).collect();
        format!(
            "## Baselines\n\nThe share of moves that keep the value of the board, the share that keep \
             its result (won, drawn or lost, by the sign of the value), and the seeds lost a move, on \
             {boards} boards of the test: those at which moves differ in value, or every so many of \
             them. Moves at random, and those of equal gain, count by their mean. The levels of krou \
             search without tables. `krou.evaluate` of the Python package computes the same of other \
             players.\n\n\
             | player | keeps the value | keeps the result | seeds lost a move |\n\
             | --- | ---: | ---: | ---: |\n{rows}"
        )
    }
}

const LICENCE: &str = "\
## Licence and citation

What a board is worth is a fact, which belongs to nobody. As far as there are rights in this
collection, it has the licence of krou: MIT or Apache-2.0, as you choose.

To cite it, name krou as its CITATION.cff says (The krou developers: krou, exact endgame tablebases
for oware), with the version, the command and the checksums above.
";
