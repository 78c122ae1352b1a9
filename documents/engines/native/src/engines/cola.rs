//! cola: which character stands where, and not which character it is: the text lies beside it in an editor.

use super::whole_number;
use crate::edits::Edit;
use crate::engine::{Counts, Done, Engine, Held};
use std::hint::black_box;

pub struct Replica(::cola::Replica);

impl Engine for Replica {
    const COUNTS: Counts = Counts::Utf16Units;

    fn open(identity: f64, _updates: bool) -> Done<Self> {
        Ok(Replica(::cola::Replica::new(whole_number(identity, 64).max(1), 0)))
    }

    fn edit(&mut self, Edit { position, deleted, inserted_units, .. }: Edit<'_>) -> Done {
        // The result is the update for others, which is made in any case.
        if deleted > 0 {
            black_box(self.0.deleted(position..position + deleted));
        }
        if inserted_units > 0 {
            black_box(self.0.inserted(position, inserted_units));
        }
        Ok(())
    }

    fn held(&self) -> Done<Held> {
        Ok(Held::Length(self.0.len()))
    }
}
