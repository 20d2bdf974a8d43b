//! Reads and writes what the caller points to.
//!
//! A pointer is refused if it is null or misaligned. Whether it leads to memory of the
//! right size and type cannot be checked: `krou.h` demands it of the caller under
//! 'Pointers', and the proofs below call that the contract of the header.

#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::{ptr, slice};

use krou::Board;
use krou::rules::PITS;

use super::codes::{Failure, KROU_E_NULL, KROU_E_SIZE};

/// Memory of the caller that an answer is written to. It may be uninitialised.
#[derive(Debug)]
pub struct Place<'a, T>(&'a mut MaybeUninit<T>);

impl<T> Place<'_, T> {
    /// Writes the answer.
    pub fn write(&mut self, answer: T) {
        self.0.write(answer);
    }
}

/// Memory of the caller for several answers.
#[derive(Debug)]
pub struct Places<'a, T>(&'a mut [MaybeUninit<T>]);

impl<T> Default for Places<'_, T> {
    /// No places.
    fn default() -> Self {
        Places(&mut [])
    }
}

impl<T> Places<'_, T> {
    /// How many answers there is memory for.
    pub fn capacity(&self) -> usize {
        self.0.len()
    }

    /// Writes the answers to the first places; those beyond the last place are dropped.
    /// Returns how many were written.
    pub fn write(&mut self, answers: impl IntoIterator<Item = T>) -> usize {
        let written = self.0.iter_mut().zip(answers);
        written.map(|(place, answer)| place.write(answer)).count()
    }
}

/// A struct whose first field, a `usize`, is its size as the caller knows it.
///
/// # Safety
/// The type is `repr(C)`, its first field is a `usize`, and the other fields are numbers,
/// raw pointers and optional function pointers, so that it has a value for all bytes that
/// a caller in C can put there.
pub unsafe trait Versioned: Copy {
    /// Its name in the header.
    const NAME: &'static str;
}

/// What a pointer leads to.
///
/// # Safety
/// The pointer is null, misaligned, or leads to a `T` that lives as long as `'a` and does
/// not change.
pub unsafe fn shared<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Failure> {
    check(pointer, name)?;
    // SAFETY: neither null nor misaligned; the rest is the contract of the header.
    Ok(unsafe { &*pointer })
}

/// What `read` reads at a pointer, or `None` at null.
pub fn optional<T, R>(
    pointer: *const T,
    read: impl FnOnce() -> Result<R, Failure>,
) -> Result<Option<R>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    read().map(Some)
}

/// Several things in a row. No things need no pointer.
///
/// # Safety
/// The pointer is null, misaligned, or leads to `count` times `T` in a row that live as
/// long as `'a` and do not change.
pub unsafe fn several<'a, T>(
    pointer: *const T,
    count: usize,
    name: &str,
) -> Result<&'a [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    check_several(pointer, count, name)?;
    // SAFETY: neither null nor misaligned, nor too long; the rest is the contract of the
    // header.
    Ok(unsafe { slice::from_raw_parts(pointer, count) })
}

/// The place for one answer.
///
/// # Safety
/// The pointer is null, misaligned, or leads to memory for a `T` that nothing else uses
/// during `'a`.
pub unsafe fn place<'a, T>(pointer: *mut T, name: &str) -> Result<Place<'a, T>, Failure> {
    check(pointer, name)?;
    // SAFETY: neither null nor misaligned; any bytes are a `MaybeUninit`; the rest is the
    // contract of the header.
    Ok(Place(unsafe { &mut *pointer.cast() }))
}

/// The places for several answers. No answers need no pointer.
///
/// # Safety
/// The pointer is null, misaligned, or leads to memory for `count` times `T` that nothing
/// else uses during `'a`.
pub unsafe fn places<'a, T>(
    pointer: *mut T,
    count: usize,
    name: &str,
) -> Result<Places<'a, T>, Failure> {
    if count == 0 {
        return Ok(Places::default());
    }
    check_several(pointer, count, name)?;
    // SAFETY: neither null nor misaligned, nor too long; any bytes are a `MaybeUninit`;
    // the rest is the contract of the header.
    Ok(Places(unsafe {
        slice::from_raw_parts_mut(pointer.cast(), count)
    }))
}

/// The place for the number of answers, which is 0 until it is known.
///
/// # Safety
/// As [`place`].
pub unsafe fn count_place<'a>(pointer: *mut usize) -> Result<Place<'a, usize>, Failure> {
    // SAFETY: promised by the caller.
    let mut place = unsafe { place(pointer, "count") }?;
    place.write(0);
    Ok(place)
}

/// A struct with its size, if the size is right.
///
/// # Safety
/// The pointer is null, misaligned, or leads to a `usize`, and to a whole `T` if that is
/// the size of one.
pub unsafe fn versioned<T: Versioned>(pointer: *const T, name: &str) -> Result<T, Failure> {
    check(pointer, name)?;
    // SAFETY: neither null nor misaligned, for the alignment of `T` is at least that of
    // its first field, which is a `usize`.
    let size = unsafe { *pointer.cast::<usize>() };
    check_size::<T>(size, T::NAME)?;
    // SAFETY: by its size it is a whole `T`, and every bytes are one.
    Ok(unsafe { *pointer })
}

/// The twelve pits of a board, and whether they are one.
///
/// # Safety
/// The pointer is null or leads to twelve bytes.
pub unsafe fn read_board(pointer: *const u8) -> Result<Board, Failure> {
    // SAFETY: promised by the caller; an array of bytes is aligned everywhere.
    let pits: &[u8; PITS] = unsafe { shared(pointer.cast(), "board") }?;
    Ok(Board::new(*pits)?)
}

/// The place for a new object. Until there is one it holds null.
///
/// # Safety
/// As [`place`].
pub unsafe fn object_place<'a, T>(
    pointer: *mut *mut T,
    name: &str,
) -> Result<Place<'a, *mut T>, Failure> {
    // SAFETY: promised by the caller.
    let mut place = unsafe { place(pointer, name) }?;
    place.write(ptr::null_mut());
    Ok(place)
}

/// Gives a new object to the caller, who has to give it back to [`close`].
pub fn open<T>(mut out: Place<*mut T>, object: T) {
    out.write(Box::into_raw(Box::new(object)));
}

/// Drops an object that the caller gives back. Null is no object.
///
/// # Safety
/// The pointer is null or comes from [`open`], was not given back before, and no other
/// thread uses the object.
pub unsafe fn close<T>(pointer: *mut T) {
    if !pointer.is_null() {
        // SAFETY: it comes from `Box::into_raw` and is given back once.
        drop(unsafe { Box::from_raw(pointer) });
    }
}

/// Whether a struct has the size that this version of the library gives it.
pub fn check_size<T>(size: usize, name: &str) -> Result<(), Failure> {
    if size == size_of::<T>() {
        return Ok(());
    }
    Err(Failure::new(
        KROU_E_SIZE,
        format!(
            "the size of {name} is {} in this version of krou, not {size}: pass its sizeof, and \
             compile the program with the krou.h of the library",
            size_of::<T>()
        ),
    ))
}

/// Refuses a pointer that is null or misaligned.
pub fn check<T>(pointer: *const T, name: &str) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(Failure::new(
            KROU_E_NULL,
            format!("'{name}' is a null pointer: pass a valid one"),
        ));
    }
    if pointer.is_aligned() {
        return Ok(());
    }
    Err(Failure::argument(format!(
        "'{name}' is not aligned to {} bytes: pass a pointer to an object of its type",
        align_of::<T>()
    )))
}

fn check_several<T>(pointer: *const T, count: usize, name: &str) -> Result<(), Failure> {
    check(pointer, name)?;
    match count.checked_mul(size_of::<T>()) {
        Some(bytes) if isize::try_from(bytes).is_ok() => Ok(()),
        _ => Err(Failure::argument(format!(
            "'{name}' cannot have {count} elements: no memory is that large"
        ))),
    }
}
