//! Loro: a LoroText.

use super::{COMMON_START, LastUpdate, whole_number};
use crate::edits::Edit;
use crate::engine::{Counts, Done, Encoding, Engine, Held};
use loro::{ExportMode, LoroDoc, LoroText, Subscription};

const TEXT_NAME: &str = "text";

pub struct Replica {
    doc: LoroDoc,
    text: LoroText,
    last: LastUpdate,
    /// It ends when it is dropped.
    _subscription: Option<Subscription>,
}

impl Engine for Replica {
    const COUNTS: Counts = Counts::Utf16Units;

    fn open(identity: f64, updates: bool) -> Done<Self> {
        bind(LoroDoc::new(), identity, updates)
    }

    fn edit(&mut self, edit: Edit<'_>) -> Done {
        change(&self.text, edit)?;
        self.doc.commit();
        Ok(())
    }

    fn together<'a>(&mut self, mut edits: impl Iterator<Item = Edit<'a>>) -> Done {
        edits.try_for_each(|edit| change(&self.text, edit))?;
        self.doc.commit();
        Ok(())
    }

    fn held(&self) -> Done<Held> {
        Ok(Held::Text(self.text.to_string()))
    }

    fn take_update(&mut self, into: &mut Vec<u8>) -> Done {
        self.last.take(into);
        Ok(())
    }

    fn receive(&mut self, updates: &[&[u8]]) -> Done {
        match updates {
            [update] => self.doc.import(update)?,
            _ => self.doc.import_batch(&updates.iter().map(|update| update.to_vec()).collect::<Vec<_>>())?,
        };
        Ok(())
    }

    fn save(&mut self) -> Done<Vec<Encoding>> {
        let encode = |name, has_history, mode| Done::Ok(Encoding { name, has_history, bytes: self.doc.export(mode)? });
        Ok(vec![
            encode("snapshot", true, ExportMode::Snapshot)?,
            encode("updates", true, ExportMode::all_updates())?,
            encode("shallow snapshot", false, ExportMode::shallow_snapshot(&self.doc.oplog_frontiers()))?,
        ])
    }

    fn load(saved: &[u8]) -> Done<Self> {
        bind(LoroDoc::from_snapshot(saved)?, COMMON_START, false)
    }
}

fn bind(doc: LoroDoc, identity: f64, updates: bool) -> Done<Replica> {
    doc.set_peer_id(whole_number(identity, 64))?;
    let text = doc.get_text(TEXT_NAME);
    let last = LastUpdate::default();
    let put = last.clone();
    let subscription = updates.then(|| {
        doc.subscribe_local_update(Box::new(move |update| {
            put.put(update);
            true
        }))
    });
    Ok(Replica { doc, text, last, _subscription: subscription })
}

fn change(text: &LoroText, Edit { position, deleted, inserted, .. }: Edit<'_>) -> Done {
    if deleted > 0 {
        text.delete_utf16(position, deleted)?;
    }
    if !inserted.is_empty() {
        text.insert_utf16(position, inserted)?;
    }
    Ok(())
}
