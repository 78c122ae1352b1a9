//! Automerge: a text in a document, one change per edit.

use super::{COMMON_START, whole_number};
use crate::edits::Edit;
use crate::engine::{Counts, Done, Encoding, Engine, Held, Trouble};
use automerge::transaction::Transactable;
use automerge::{ActorId, AutoCommit, LoadOptions, ObjId, ObjType, ROOT, ReadDoc, TextEncoding};

const TEXT_NAME: &str = "text";

pub struct Replica {
    doc: AutoCommit,
    text: ObjId,
}

impl Engine for Replica {
    const COUNTS: Counts = Counts::Utf16Units;

    /// Every replica begins with the same bytes: two texts made apart would be two texts.
    fn open(identity: f64, _updates: bool) -> Done<Self> {
        let mut first = AutoCommit::new_with_encoding(TextEncoding::Utf16CodeUnit).with_actor(actor(COMMON_START));
        first.put_object(ROOT, TEXT_NAME, ObjType::Text)?;
        let mut opened = Replica::load(&first.save())?;
        opened.doc.set_actor(actor(identity));
        Ok(opened)
    }

    fn edit(&mut self, edit: Edit<'_>) -> Done {
        self.change(edit)?;
        self.doc.commit();
        Ok(())
    }

    fn together<'a>(&mut self, mut edits: impl Iterator<Item = Edit<'a>>) -> Done {
        edits.try_for_each(|edit| self.change(edit))?;
        self.doc.commit();
        Ok(())
    }

    fn held(&self) -> Done<Held> {
        Ok(Held::Text(self.doc.text(&self.text)?))
    }

    fn take_update(&mut self, into: &mut Vec<u8>) -> Done {
        if let Some(change) = self.doc.get_last_local_change() {
            into.extend_from_slice(change.raw_bytes());
        }
        Ok(())
    }

    fn receive(&mut self, updates: &[&[u8]]) -> Done {
        self.doc.load_incremental(&updates.concat())?;
        Ok(())
    }

    fn save(&mut self) -> Done<Vec<Encoding>> {
        Ok(vec![Encoding { name: "columns", has_history: true, bytes: self.doc.save() }])
    }

    fn load(saved: &[u8]) -> Done<Self> {
        let options = LoadOptions::new().text_encoding(TextEncoding::Utf16CodeUnit);
        let doc = AutoCommit::load_with_options(saved, options)?;
        match doc.get(ROOT, TEXT_NAME)? {
            Some((_, text)) => Ok(Replica { doc, text }),
            None => Err(Trouble::Fault("the saved document has no text".to_owned())),
        }
    }
}

impl Replica {
    fn change(&mut self, Edit { position, deleted, inserted, .. }: Edit<'_>) -> Done {
        self.doc.splice_text(&self.text, position, deleted as isize, inserted)?;
        Ok(())
    }
}

/// 16 random bytes.
fn actor(identity: f64) -> ActorId {
    let first = whole_number(identity, 64);
    // Multiplied by the golden ratio, the rest looks as random.
    let rest = first.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ActorId::from((u128::from(first) << 64 | u128::from(rest)).to_be_bytes())
}
