//! The engines that are here, by the names that experiments write; `native.ts` has the rest of what is known of each.

use crate::edits::Edits;
use crate::engine::Done;
use crate::measure::{Task, replay};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

mod automerge;
mod cola;
mod diamond_types;
mod loro;
mod ropes;
mod yrs;

/// An engine's replay.
pub type Replay = fn(&Edits<'_>, &Task) -> Done;

pub fn find_engine(name: &str) -> Option<Replay> {
    Some(match name {
        "automerge-rust" => replay::<automerge::Replica>,
        "cola" => replay::<cola::Replica>,
        "diamond-types-rust" => replay::<diamond_types::Replica>,
        "jumprope" => replay::<ropes::JumpRope>,
        "loro-rust" => replay::<loro::Replica>,
        "ropey" => replay::<ropes::Ropey>,
        "yrs" => replay::<yrs::Replica>,
        _ => return None,
    })
}

/// Such as a library draws at random.
fn whole_number(identity: f64, bits: i32) -> u64 {
    (identity * 2f64.powi(bits)) as u64
}

/// As `open` needs one for a document that was saved.
const COMMON_START: f64 = 0.618;

/// The place of an event's update until it is taken. Loro's events may come from any thread.
#[derive(Clone, Default)]
struct LastUpdate(Arc<Mutex<Vec<u8>>>);

impl LastUpdate {
    fn put(&self, update: &[u8]) {
        self.lock().extend_from_slice(update);
    }

    fn take(&self, into: &mut Vec<u8>) {
        into.append(&mut self.lock());
    }

    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
