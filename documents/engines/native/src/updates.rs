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

impl Updates {
    pub fn new(are_kept: bool) -> Self {
        Updates { are_kept, byte_length: 0, bytes: Vec::new(), ends: Vec::new() }
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

    /// Fills `into` with those from `from` to before `until`. An edit that changes nothing has none.
    pub fn fill<'a>(&'a self, into: &mut Vec<&'a [u8]>, from: usize, until: usize) {
        into.clear();
        let mut byte = if from == 0 { 0 } else { self.ends[from - 1] };
        for &end in &self.ends[from..until] {
            if end > byte {
                into.push(&self.bytes[byte..end]);
            }
            byte = end;
        }
    }
}
