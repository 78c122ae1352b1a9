//! Diamond Types: the list of operations and the text that comes of it.

use super::{COMMON_START, whole_number};
use crate::edits::Edit;
use crate::engine::{Counts, Done, Encoding, Engine, Held, Trouble};
use diamond_types::list::ListCRDT;
use diamond_types::list::encoding::{ENCODE_FULL, ENCODE_PATCH};
use diamond_types::{AgentId, LocalVersion};
use std::fmt::Debug;

pub struct Replica {
    document: ListCRDT,
    agent: AgentId,
    updates: bool,
    /// Before the last edit.
    before: LocalVersion,
}

impl Engine for Replica {
    const COUNTS: Counts = Counts::Characters;

    fn open(identity: f64, updates: bool) -> Done<Self> {
        Ok(bind(ListCRDT::new(), identity, updates))
    }

    fn edit(&mut self, Edit { position, deleted, inserted, .. }: Edit<'_>) -> Done {
        if self.updates {
            self.before = self.document.oplog.local_version();
        }
        if deleted > 0 {
            // As its WebAssembly does: what was deleted is known from what was inserted.
            self.document.delete_without_content(self.agent, position..position + deleted);
        }
        if !inserted.is_empty() {
            self.document.insert(self.agent, position, inserted);
        }
        Ok(())
    }

    fn held(&self) -> Done<Held> {
        Ok(Held::Text(self.document.branch.content().to_string()))
    }

    fn take_update(&mut self, into: &mut Vec<u8>) -> Done {
        into.extend_from_slice(&self.document.oplog.encode_from(ENCODE_PATCH, &self.before));
        Ok(())
    }

    fn receive(&mut self, updates: &[&[u8]]) -> Done {
        for update in updates {
            self.document.merge_data_and_ff(update).map_err(fault)?;
        }
        Ok(())
    }

    fn save(&mut self) -> Done<Vec<Encoding>> {
        Ok(vec![Encoding { name: "bytes", has_history: true, bytes: self.document.oplog.encode(ENCODE_FULL) }])
    }

    fn load(saved: &[u8]) -> Done<Self> {
        Ok(bind(ListCRDT::load_from(saved).map_err(fault)?, COMMON_START, false))
    }
}

fn bind(mut document: ListCRDT, identity: f64, updates: bool) -> Replica {
    // Any name that its user gives; ten letters, as other libraries draw.
    let agent = document.get_or_create_agent_id(&format!("{:010x}", whole_number(identity, 40)));
    let before = document.oplog.local_version();
    Replica { document, agent, updates, before }
}

/// Its errors have no words of their own.
fn fault(error: impl Debug) -> Trouble {
    Trouble::Fault(format!("{error:?}"))
}
