//! Manifests: which tables a build writes, with their sizes and hashes. Builds are equal
//! to the byte on every machine, so that anybody's tables can be compared with them.
//!
//! A manifest is CSV with a line for each table:
//!
//! ```text
//! table,codec,boards,bytes,hash,sha256
//! awari-09.value.krou,small,151164,21083,0123456789abcdef,
//! ```
//!
//! The hash is the one that krou computes from a table's header. The last column is the
//! SHA-256 sum of the file, or empty.

use std::collections::HashMap;

use super::Table;

/// The tables of `awari` and `abapa`, with the default codec, that every build must equal: lines
/// of CSV, as `krou info --csv` writes them.
const MANIFEST: &str = include_str!("../../data/manifest.csv");

const HEADER: &str = "table,codec,boards,bytes,hash";

/// The name of the column that a manifest may have beside those.
const SUM: &str = ",sha256";

/// The lines of tables by file name.
#[derive(Debug)]
pub struct Manifest(HashMap<String, ListedTable>);

#[derive(Debug)]
struct ListedTable {
    /// Codec, boards, bytes and hash.
    fields: String,
    /// Empty if it is not known.
    sha256: String,
}

/// How a table compares with a manifest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ManifestMatch {
    /// It is the listed table.
    Equal,
    /// It is another one.
    Differs,
    /// It is stored with another codec.
    OtherCodec,
    /// The manifest does not list it.
    NotListed,
}

impl Manifest {
    /// The manifest inside the library.
    ///
    /// # Panics
    /// If it is no manifest.
    pub fn built_in() -> Manifest {
        Manifest::parse(MANIFEST).expect("the manifest inside krou is right")
    }

    /// A manifest from its text.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Manifest, String> {
        let mut lines = text.lines();
        let header = lines.next().unwrap_or_default();
        if header.strip_suffix(SUM).unwrap_or(header) != HEADER {
            return Err(format!("its first line is not '{HEADER}{SUM}'"));
        }
        let mut entries = HashMap::new();
        for (line, number) in lines.zip(2..) {
            let columns: Vec<&str> = line.split(',').collect();
            let is_number = |text: &str| text.parse::<u64>().is_ok();
            let before = match columns[..] {
                [table, codec, boards, bytes, hash, ref sum @ ..]
                    if is_number(boards) && is_number(bytes) && sum.len() <= 1 =>
                {
                    let fields = [codec, boards, bytes, hash].join(",");
                    let sha256 = sum.concat();
                    entries.insert(table.to_owned(), ListedTable { fields, sha256 })
                }
                _ => {
                    return Err(format!(
                        "line {number} does not have the fields of the first line"
                    ));
                }
            };
            if before.is_some() {
                return Err(format!("line {number} lists a table a second time"));
            }
        }
        Ok(Manifest(entries))
    }

    /// Compares a table whose blocks are known to match their checksums.
    pub fn compare(&self, table: &Table) -> ManifestMatch {
        let Some(listed) = self.0.get(&table.id().file_name()) else {
            return ManifestMatch::NotListed;
        };
        let codec = listed.fields.split(',').next();
        if codec != Some(table.codec().as_str()) {
            ManifestMatch::OtherCodec
        } else if listed.fields == fields(table) {
            ManifestMatch::Equal
        } else {
            ManifestMatch::Differs
        }
    }

    /// The SHA-256 sum of a table in hexadecimal digits, if it is listed.
    pub fn sha256(&self, table: &Table) -> Option<&str> {
        let listed = self.0.get(&table.id().file_name())?;
        Some(&*listed.sha256).filter(|sum| !sum.is_empty())
    }
}

/// The manifest of some tables.
pub fn text<'t>(tables: impl Iterator<Item = &'t Table>) -> String {
    let lines = tables.map(|table| format!("{},{}\n", table.id().file_name(), fields(table)));
    format!("{HEADER}\n{}", lines.collect::<String>())
}

/// What a manifest says about a table.
fn fields(table: &Table) -> String {
    let (codec, hash) = (table.codec().as_str(), hash_of(table));
    let (boards, bytes) = (table.entries(), table.stored_bytes());
    format!("{codec},{boards},{bytes},{hash}")
}

/// The hash of a table as text.
pub fn hash_of(table: &Table) -> String {
    format!("{:016x}", table.content_hash())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_manifests_are_refused() {
        let error = |text: &str| Manifest::parse(text).err().unwrap();
        assert!(error("").contains("its first line is not 'table,codec"));
        for line in ["a,b,1,2", "a,b,1,2,3,4,5", "a,b,x,2,3", "a,b,1,-2,3", ""] {
            let text = format!("{HEADER}\na,b,1,2,3\n{line}\n");
            assert!(error(&text).starts_with("line 3 "), "{line}");
        }
        let twice = format!("{HEADER}\na,b,1,2,3\nc,b,1,2,3\na,b,1,2,4\n");
        assert_eq!(error(&twice), "line 4 lists a table a second time");
    }

    #[cfg(feature = "remote")]
    #[test]
    fn the_manifest_inside_the_library_lists_the_embedded_tables() {
        let manifest = Manifest::built_in();
        let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
        let (index, _) = super::super::TableIndex::of_folder(&data, &mut |_| ()).unwrap();
        for listed in &index.tables {
            let table = Table::open(data.join(&listed.name)).unwrap();
            assert_eq!(manifest.compare(&table), ManifestMatch::Equal);
            assert_eq!(manifest.sha256(&table), Some(&*listed.sha256));
        }
        assert_eq!(index.tables.len(), 50);
    }
}
