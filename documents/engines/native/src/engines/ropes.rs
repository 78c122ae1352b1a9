//! Text in a rope, without history. JumpRope's `JumpRopeBuf`, which joins edits of one place before it makes them, takes half
//! as long.

use crate::edits::Edit;
use crate::engine::{Counts, Done, Encoding, Engine, Held};

/// A rope as an engine: both crates have the same methods, and differ in how a text becomes a rope.
macro_rules! rope {
    ($name:ident, $rope:ty, $from_text:path) => {
        pub struct $name($rope);

        impl Engine for $name {
            const COUNTS: Counts = Counts::Characters;

            fn open(_identity: f64, _updates: bool) -> Done<Self> {
                Ok($name(<$rope>::new()))
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
                Ok(vec![Encoding { name: "UTF-8", has_history: false, bytes: self.0.to_string().into_bytes() }])
            }

            fn load(saved: &[u8]) -> Done<Self> {
                Ok($name($from_text(std::str::from_utf8(saved)?)))
            }
        }
    };
}

rope!(JumpRope, jumprope::JumpRope, jumprope::JumpRope::from);
rope!(Ropey, ropey::Rope, ropey::Rope::from_str);
