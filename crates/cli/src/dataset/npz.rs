//! Arrays as a `.npz` file of numpy: a zip archive of one `.npy` file for each array, which are
//! stored as they are.

use crc32fast::hash;
use krou::tablebase::npy_header;

/// An array: its name, the type of its numbers and its shape as numpy writes them, and its bytes.
pub struct Array {
    pub name: &'static str,
    pub descr: &'static str,
    pub shape: String,
    pub bytes: Vec<u8>,
}

/// Midnight of 1 January 1980, the first time that a zip archive can name.
const DATE: u16 = (1 << 5) | 1;
/// The version of zip that a reader needs: the first one.
const VERSION: u16 = 10;

/// The bytes of the file.
///
/// # Panics
/// If the arrays have 4 GiB or more.
pub fn npz(arrays: &[Array]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for array in arrays {
        let name = format!("{}.npy", array.name);
        let mut bytes = npy_header(array.descr, &array.shape);
        bytes.extend(&array.bytes);
        // The fields that an entry has in both places.
        let mut fields = VERSION.to_le_bytes().to_vec();
        // No flags, stored, midnight.
        fields.extend([0; 6]);
        fields.extend(DATE.to_le_bytes());
        fields.extend(hash(&bytes).to_le_bytes());
        fields.extend(number(bytes.len()).repeat(2));
        fields.extend((name.len() as u16).to_le_bytes());
        // No further fields of the entry.
        fields.extend([0; 2]);
        let offset = number(file.len());
        file.extend(b"PK\x03\x04");
        file.extend(&fields);
        file.extend(name.as_bytes());
        file.extend(bytes);
        directory.extend(b"PK\x01\x02");
        directory.extend(VERSION.to_le_bytes());
        directory.extend(fields);
        // No comment, the first disk, no attributes.
        directory.extend([0; 10]);
        directory.extend(offset);
        directory.extend(name.as_bytes());
    }
    let start = number(file.len());
    let length = number(directory.len());
    file.extend(directory);
    file.extend(b"PK\x05\x06");
    // The first disk.
    file.extend([0; 4]);
    file.extend((arrays.len() as u16).to_le_bytes().repeat(2));
    file.extend(length);
    file.extend(start);
    // No comment.
    file.extend([0; 2]);
    file
}

fn number(of_bytes: usize) -> [u8; 4] {
    let number = u32::try_from(of_bytes).expect("a data set has less than 4 GiB");
    number.to_le_bytes()
}
