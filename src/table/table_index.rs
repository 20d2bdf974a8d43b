//! The index of a folder of tables on a web host: `krou-index.json`.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::ranges::{FileRange, MayLack, Ranges};
use crate::table::{Fault, HEADER_LEN, Table, TableError, TableId};

/// The name of the file.
pub const INDEX_NAME: &str = "krou-index.json";

/// The newest version of an index that this library reads.
const VERSION: u32 = 1;

/// Which tables a folder has.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "AnyIndex")]
#[non_exhaustive]
pub struct TableIndex {
    version: u32,
    /// The tables.
    pub tables: Vec<IndexedTable>,
}

/// An index before it is checked.
#[derive(Deserialize)]
struct AnyIndex {
    /// The first indexes had none.
    #[serde(default)]
    version: u32,
    tables: Vec<IndexedTable>,
}

impl Default for TableIndex {
    fn default() -> TableIndex {
        TableIndex {
            version: VERSION,
            tables: Vec::new(),
        }
    }
}

impl TryFrom<AnyIndex> for TableIndex {
    type Error = String;

    fn try_from(
        AnyIndex {
            version,
            mut tables,
        }: AnyIndex,
    ) -> Result<TableIndex, String> {
        if version > VERSION {
            return Err(format!(
                "it is of version {version}, and this krou reads up to version {VERSION}: update krou"
            ));
        }
        for table in &mut tables {
            table.sha256.make_ascii_lowercase();
        }
        Ok(TableIndex { version, tables })
    }
}

/// A table in an index.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct IndexedTable {
    /// The file's name.
    pub name: String,
    /// Bytes of the file.
    pub bytes: u64,
    /// The SHA-256 sum of the file, in 64 hexadecimal digits.
    pub sha256: String,
    /// The first 128 bytes of the file, its header, in hexadecimal digits. Without them a
    /// reader has to fetch them first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
}

impl TableIndex {
    /// The table with this name, and its number in the index.
    pub(crate) fn find(&self, name: &str) -> Option<(usize, &IndexedTable)> {
        let mut tables = self.tables.iter().enumerate();
        tables.find(|(_, table)| table.name == name)
    }

    /// Opens a table, whose name in errors begins with `base`; `None` if it is not listed. Its
    /// header may have to be fetched first.
    pub(crate) fn open(
        &self,
        id: TableId,
        base: &str,
        ranges: &Arc<dyn Ranges>,
    ) -> Option<Result<Table, TableError>> {
        let open = |id: TableId| {
            let (file, entry) = self.find(&id.file_name())?;
            Some(entry.open(&format!("{base}{}", entry.name), file, ranges))
        };
        match (open(id), id.formerly_named()) {
            (Some(opened), _) => Some(opened.and_then(|table| table.require(id))),
            // Whatever else has the name that it has in earlier versions is another table.
            (None, Some(former)) => match open(former)? {
                Ok(table) => table.require(id).ok().map(Ok),
                Err(mut error) => error.lacking().is_some().then_some(Err(error)),
            },
            (None, None) => None,
        }
    }
}

impl IndexedTable {
    /// The file's header, if the index has it.
    pub(crate) fn header_bytes(&self) -> Option<Vec<u8>> {
        self.header.as_deref().map(bytes_of_hex)
    }

    fn open(&self, name: &str, file: usize, ranges: &Arc<dyn Ranges>) -> Result<Table, TableError> {
        let header = match self.header_bytes() {
            Some(header) => header,
            None => {
                let end = self.bytes.min(HEADER_LEN as u64);
                let range = FileRange {
                    file,
                    start: 0,
                    end,
                };
                let kept = ranges.kept(range);
                let lacking = || Fault::Lacking(vec![(ranges.clone(), range)]).of(name);
                kept.ok_or_else(lacking)?.to_vec()
            }
        };
        Table::ranged(name, &header, self.bytes, ranges.clone(), file)
    }
}

/// The bytes that hexadecimal digits stand for, as far as they do.
fn bytes_of_hex(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks_exact(2);
    let bytes = pairs.map_while(|pair| {
        let pair = std::str::from_utf8(pair).ok()?;
        u8::from_str_radix(pair, 16).ok()
    });
    bytes.collect()
}
