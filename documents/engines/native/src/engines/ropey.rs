//! Ropey: text in a rope, as editors hold it, without history.

use crate::edits::Edit;
use crate::engine::{About, Counts, Done, Encoding, Engine, Held, Observed};
use ropey::Rope;

pub struct Replica(Rope);

impl Engine for Replica {
    const ABOUT: About = About {
        name: "ropey",
        version: "1.6.1",
        kind: "baseline",
        algorithm: "a rope: a B-tree of pieces of text",
        licence: "MIT",
        observes: &[Observed::Edits, Observed::Once],
        counts: Counts::Characters,
    };

    fn open(_replica: u8, _updates: bool) -> Done<Self> {
        Ok(Replica(Rope::new()))
    }

    fn edit(&mut self, Edit { position, deleted, inserted, .. }: Edit<'_>) -> Done {
        if deleted > 0 {
            self.0.remove(position..position + deleted);
        }
        if !inserted.is_empty() {
            self.0.insert(position, inserted);
        }
        Ok(())
    }

    /// Without history nothing is to be done at a transaction's end.
    fn together<'a>(&mut self, mut edits: impl Iterator<Item = Edit<'a>>) -> Done {
        edits.try_for_each(|edit| self.edit(edit))
    }

    fn held(&self) -> Done<Held> {
        Ok(Held::Text(self.0.to_string()))
    }

    fn save(&mut self) -> Done<Vec<Encoding>> {
        Ok(vec![Encoding { has_history: false, bytes: self.0.to_string().into_bytes() }])
    }

    fn load(saved: &[u8]) -> Done<Self> {
        Ok(Replica(Rope::from_str(std::str::from_utf8(saved)?)))
    }
}
