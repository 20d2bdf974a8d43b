//! Makes the index of a folder of tables.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::table::folder::{replace, table_files};
use crate::table::{
    Fault, HEADER_LEN, INDEX_NAME, IndexedTable, Table, TableError, TableId, TableIndex,
};

impl TableIndex {
    /// The tables in a folder, and those that cannot be opened or have names of others, which the
    /// index leaves out.
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
        let (mut index, mut damaged) = (TableIndex::default(), Vec::new());
        for path in table_files(folder).map_err(of_folder)? {
            match Table::open(&path).and_then(with_its_name) {
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
    pub fn write(&self, folder: impl AsRef<Path>) -> Result<(), TableError> {
        let path = folder.as_ref().join(INDEX_NAME);
        let text = serde_json::to_string_pretty(self);
        let text = text.map_err(|error| Fault::writing(error.into()).of(&path))?;
        replace(&path, format!("{text}\n").as_bytes())
    }
}

/// The table, if its file has its name, or that of earlier versions: readers look for names.
fn with_its_name(table: Table) -> Result<Table, TableError> {
    let id = table.id();
    let named = table.name().file_name().map(OsStr::to_os_string);
    let is_named = |id: TableId| named.as_deref() == Some(OsStr::new(&id.file_name()));
    match is_named(id) || id.formerly_named().is_some_and(is_named) {
        true => Ok(table),
        false => Err(Fault::Misnamed { holds: id }.of(table.name())),
    }
}

impl IndexedTable {
    fn of(table: &Table, on_bytes: &mut dyn FnMut(u64)) -> Result<IndexedTable, TableError> {
        let failed = |cause| Fault::Read { cause }.of(table.name());
        let mut file = File::open(table.name()).map_err(failed)?;
        let mut hash = Sha256::new();
        let mut bytes = vec![0; 1 << 20];
        let mut header = None;
        loop {
            let read = file.read(&mut bytes).map_err(failed)?;
            if read == 0 {
                break;
            }
            header.get_or_insert_with(|| hex(&bytes[..read.min(HEADER_LEN)]));
            hash.update(&bytes[..read]);
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

/// Bytes as hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits =
        |byte: u8| [byte >> 4, byte & 15].map(|digit| char::from(DIGITS[usize::from(digit)]));
    bytes.iter().flat_map(|&byte| digits(byte)).collect()
}
