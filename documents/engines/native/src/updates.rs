//! The updates of a replay: their bytes in all, and themselves if the remote side needs them, one after another in one piece
//! of memory, so that little is added to what the engine takes.

use crate::engine::{Done, Engine};

pub struct Updates {
    are_kept: bool,
    byte_length: usize,
    bytes: Vec<u8>,
    /// Of each, in `bytes`.
    ends: Vec<usize>,
}

/// Size of most engines' updates of one key; if this is too little, the store grows.
const EXPECTED_BYTES: usize = 64;

impl Updates {
    /// `kept`: for so many there is room, which is not resident before it is written to. Zero: none is kept.
    pub fn new(kept: usize) -> Self {
        Updates {
            are_kept: kept > 0,
            byte_length: 0,
            bytes: Vec::with_capacity(kept * EXPECTED_BYTES),
            ends: Vec::with_capacity(kept),
        }
    }

    /// Takes the update of the last edit.
    #[inline]
    pub fn take_from<E: Engine>(&mut self, document: &mut E) -> Done {
        let before = self.bytes.len();
        document.take_update(&mut self.bytes)?;
        self.byte_length += self.bytes.len() - before;
        if self.are_kept {
            self.ends.push(self.bytes.len());
        } else {
            self.bytes.clear();
        }
        Ok(())
    }

    /// How many are kept.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// Of all that were taken.
    pub fn byte_length(&self) -> usize {
        self.byte_length
    }

    /// Memory of this store itself.
    pub fn memory_bytes(&self) -> usize {
        self.bytes.len() + size_of_val(self.ends.as_slice())
    }

    /// All of them, so many in a batch. An edit that changes nothing has none.
    pub fn batches(&self, size: usize) -> Vec<Vec<&[u8]>> {
        let mut byte = 0;
        let mut update_to = |&end: &usize| {
            let update = &self.bytes[byte..end];
            byte = end;
            (!update.is_empty()).then_some(update)
        };
        self.ends.chunks(size).map(|ends| ends.iter().filter_map(&mut update_to).collect()).collect()
    }
}
