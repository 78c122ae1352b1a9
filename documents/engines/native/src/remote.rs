//! The other side: what a replica takes to follow another's typing.

use crate::content;
use crate::edits::Edits;
use crate::engine::{Done, Engine};
use crate::measure::print_figure;
use crate::stopwatch::Stopwatch;
use crate::updates::Updates;
use std::time::Duration;

/// Keys of 112 users in 50 ms, at 6 keys a second: the receive batch of the largest cell of the Collabs paper.
const BATCH_EDITS: usize = 34;

/// Applies the updates one by one at an empty replica, and in batches at another, each for so long at most.
pub fn measure_remote<E: Engine>(updates: &Updates, edits: &Edits<'_>, limit: Duration) -> Done {
    for (name, size) in [("", 1), ("Batched", BATCH_EDITS)] {
        let mut replica = E::open(2, false)?;
        let mut batch = Vec::with_capacity(size);
        let mut given = 0;
        let mut watch = Stopwatch::new(updates.count().div_ceil(size), limit);
        while watch.goes_on() {
            let until = updates.count().min(given + size);
            updates.fill(&mut batch, given, until);
            replica.receive(&batch)?;
            given = until;
        }
        print_figure(&format!("remote{name}EditsPerSecond"), given as f64 / watch.total().as_secs_f64());
        print_figure(&format!("remote{name}Edits"), given as f64);
        let whose = format!("a replica that took in {given} updates");
        if given == edits.count() {
            content::require(replica.held()?, edits.end_content, &whose)?;
        } else {
            content::require(replica.held()?, &edits.content_after(given), &whose)?;
        }
    }
    Ok(())
}
