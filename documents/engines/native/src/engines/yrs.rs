//! Yrs: Yjs in Rust, a Text of a document that collects garbage, as it does by default.

use super::{COMMON_START, LastUpdate, whole_number};
use crate::edits::Edit;
use crate::engine::{Counts, Done, Encoding, Engine, Held};
use yrs::updates::decoder::Decode;
use yrs::{
    ClientID, Doc, GetString, OffsetKind, Options, ReadTxn, StateVector, Text, TextRef, Transact, TransactionMut,
    Update,
};

pub struct Replica {
    doc: Doc,
    text: TextRef,
    last: LastUpdate,
}

const TEXT_NAME: &str = "text";

impl Engine for Replica {
    const COUNTS: Counts = Counts::Utf16Units;

    fn open(identity: f64, updates: bool) -> Done<Self> {
        // A random number of 53 bits.
        let doc = Doc::with_options(Options {
            client_id: ClientID::new(whole_number(identity, 53)),
            offset_kind: OffsetKind::Utf16,
            ..Options::default()
        });
        let last = LastUpdate::default();
        if updates {
            let put = last.clone();
            doc.observe_update_v1("scriptorium", move |_, event| put.put(&event.update))?;
        }
        let text = doc.get_or_insert_text(TEXT_NAME);
        Ok(Replica { doc, text, last })
    }

    fn edit(&mut self, edit: Edit<'_>) -> Done {
        change(&self.text, &mut self.doc.transact_mut(), edit);
        Ok(())
    }

    fn together<'a>(&mut self, edits: impl Iterator<Item = Edit<'a>>) -> Done {
        let mut transaction = self.doc.transact_mut();
        for edit in edits {
            change(&self.text, &mut transaction, edit);
        }
        Ok(())
    }

    fn held(&self) -> Done<Held> {
        Ok(Held::Text(self.text.get_string(&self.doc.transact())))
    }

    fn take_update(&mut self, into: &mut Vec<u8>) -> Done {
        self.last.take(into);
        Ok(())
    }

    fn receive(&mut self, updates: &[&[u8]]) -> Done {
        let mut transaction = self.doc.transact_mut();
        for update in updates {
            transaction.apply_update(Update::decode_v1(update)?)?;
        }
        Ok(())
    }

    fn save(&mut self) -> Done<Vec<Encoding>> {
        let transaction = self.doc.transact();
        let nothing = StateVector::default();
        let encoding = |name, bytes| Encoding { name, has_history: false, bytes };
        Ok(vec![
            encoding("V1", transaction.encode_state_as_update_v1(&nothing)),
            encoding("V2", transaction.encode_state_as_update_v2(&nothing)),
        ])
    }

    fn load(saved: &[u8]) -> Done<Self> {
        let mut replica = Replica::open(COMMON_START, false)?;
        replica.receive(&[saved])?;
        Ok(replica)
    }
}

fn change(text: &TextRef, transaction: &mut TransactionMut<'_>, edit: Edit<'_>) {
    let position = edit.position as u32;
    if edit.deleted > 0 {
        text.remove_range(transaction, position, edit.deleted as u32);
    }
    if !edit.inserted.is_empty() {
        text.insert(transaction, position, edit.inserted);
    }
}
