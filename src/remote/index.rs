//! The index of a folder of tables on a web host: `krou-index.json`.

#[cfg(feature = "remote")]
use std::fs::File;
#[cfg(feature = "remote")]
use std::io::{self, Read, Write};
#[cfg(feature = "remote")]
use std::path::Path;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

#[cfg(feature = "remote")]
use sha2::{Digest, Sha256};

use crate::ranges::{FileRange, MayLack, Ranges};
use crate::table::{Fault, HEADER_LEN, Table, TableError, TableId};

/// The name of the file.
pub const INDEX_NAME: &str = "krou-index.json";

/// Which tables a folder has.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TableIndex {
    /// The tables.
    pub tables: Vec<IndexedTable>,
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
    pub(super) fn find(&self, name: &str) -> Option<(usize, &IndexedTable)> {
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

#[cfg(feature = "remote")]
impl TableIndex {
    /// The tables in a folder, and those that cannot be opened, which the index leaves out.
    /// It reads all of them, and tells how many bytes more were read.
    ///
    /// # Errors
    /// If the folder or a file cannot be read.
    pub fn of_folder(
        folder: impl AsRef<Path>,
        on_bytes: &mut dyn FnMut(u64),
    ) -> Result<(TableIndex, Vec<TableError>), TableError> {
        let folder = folder.as_ref();
        let of_folder = |cause| Fault::Read { cause }.of(folder);
        let mut paths = Vec::new();
        for entry in folder.read_dir().map_err(of_folder)? {
            let path = entry.map_err(of_folder)?.path();
            if path
                .extension()
                .is_some_and(|extension| extension == "krou")
            {
                paths.push(path);
            }
        }
        paths.sort();
        let (mut index, mut damaged) = (TableIndex::default(), Vec::new());
        for path in paths {
            match Table::open(&path) {
                Ok(table) => index.tables.push(IndexedTable::of(&table, on_bytes)?),
                Err(error) => damaged.push(error),
            }
        }
        Ok((index, damaged))
    }

    /// Writes the index into a folder, in one step.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, folder: impl AsRef<Path>) -> io::Result<()> {
        let folder = folder.as_ref();
        #[cfg_attr(not(unix), allow(unused_mut))]
        let mut file = tempfile::Builder::new();
        #[cfg(unix)]
        file.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
        let mut file = file.tempfile_in(folder)?;
        serde_json::to_writer_pretty(&mut file, self)?;
        file.write_all(b"\n")?;
        file.persist(folder.join(INDEX_NAME))?;
        Ok(())
    }
}

#[cfg(feature = "remote")]
impl IndexedTable {
    fn of(table: &Table, on_bytes: &mut dyn FnMut(u64)) -> Result<IndexedTable, TableError> {
        let failed = |cause| Fault::Read { cause }.of(table.name());
        let mut file = File::open(table.name()).map_err(failed)?;
        let mut hash = Sha256::new();
        let mut portion = vec![0; 1 << 20];
        let mut header = None;
        loop {
            let read = file.read(&mut portion).map_err(failed)?;
            if read == 0 {
                break;
            }
            header.get_or_insert_with(|| hex(&portion[..read.min(HEADER_LEN)]));
            hash.update(&portion[..read]);
            on_bytes(read as u64);
        }
        Ok(IndexedTable {
            // Files of earlier versions have the names of other tables.
            name: table.name().file_name().map_or_else(
                || table.id().file_name(),
                |name| name.to_string_lossy().into_owned(),
            ),
            bytes: table.stored_bytes(),
            sha256: hex(&hash.finalize()),
            header,
        })
    }
}

impl IndexedTable {
    fn open(&self, name: &str, file: usize, ranges: &Arc<dyn Ranges>) -> Result<Table, TableError> {
        let header = match &self.header {
            Some(digits) => bytes_of_hex(digits),
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

/// Bytes as hexadecimal digits.
#[cfg(feature = "remote")]
pub(super) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits =
        |byte: u8| [byte >> 4, byte & 15].map(|digit| char::from(DIGITS[usize::from(digit)]));
    bytes.iter().flat_map(|&byte| digits(byte)).collect()
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
