//! Replays edits into one engine, and prints what that took: the same figures as `documents/replay/main.ts`.

use crate::edits::{Edit, Edits};
use crate::engine::{Counts, Done, Encoding, Engine, Held, Observed, Trouble};
use crate::stopwatch::Stopwatch;
use crate::updates::Updates;
use serde_json::json;
use std::hint::black_box;
use std::time::{Duration, Instant};

const KIB: f64 = 1024.0;
const MIB: f64 = KIB * KIB;

pub struct Task {
    pub observed: Observed,
    /// Of the replica that is typed into, and of the one that follows it.
    pub identities: [f64; 2],
    /// The engine may take so long for all edits.
    pub limit: Duration,
    /// At most so long are updates applied at a second replica, twice; zero: they are not.
    pub remote: Duration,
}

/// There is no warm-up: the program is compiled before it runs.
pub fn replay<E: Engine>(edits: &Edits<'_>, task: &Task) -> Done {
    require_fit::<E>(edits)?;
    let takes_updates = task.observed == Observed::Updates;
    // Of a trace many times over they would not fit into memory.
    let keeps_updates = takes_updates && !task.remote.is_zero() && edits.repeat == 1;
    let store = || Updates::new(if keeps_updates { edits.count() } else { 0 });
    let mut updates = store();
    let before = resident_bytes();
    let mut document = E::open(task.identities[0], takes_updates)?;
    let (watch, total) = time(&mut document, &mut updates, edits, task)?;
    let after = resident_bytes();
    // Only now: what it frees, the document could take without the process growing.
    print_figure("harnessNsPerEdit", harness_ns_per_edit(store, edits, task)?);
    print_times(&watch, total, task.observed);
    if takes_updates {
        print_figure("updatesKiB", updates.byte_length() as f64 / KIB);
    }
    if let (Some(before), Some(after)) = (before, after) {
        // Updates are the measurement's, not the document's.
        print_figure("residentMiB", (after - before - updates.memory_bytes() as f64) / MIB);
    }
    document.held()?.require(edits.end_content, "the document")?;
    measure_saved(&mut document, edits)?;
    if keeps_updates {
        measure_remote::<E>(&updates, edits, task)?;
    }
    Ok(())
}

/// A line of the record. What could not be had is not written.
fn print_figure(figure: &str, value: f64) {
    if value.is_finite() {
        println!("{}", json!({ "type": "figure", "figure": figure, "value": value }));
    }
}

fn print_times(watch: &Stopwatch, total: Duration, observed: Observed) {
    print_figure("applyMs", 1e3 * total.as_secs_f64());
    print_figure("editsPerSecond", watch.count() as f64 / total.as_secs_f64());
    // In one transaction some engines do their work at its end only, which is no edit's.
    if observed == Observed::Once {
        return;
    }
    print_figure("worstEditMs", 1e3 * watch.worst().as_secs_f64());
    let curve = watch.curve();
    println!("{}", json!({ "type": "curve", "curve": "editMicroseconds", "x": curve.ends, "y": curve.microseconds }));
}

/// Fails with `character-not-held` if the engine counts otherwise than the trace does.
fn require_fit<E: Engine>(edits: &Edits<'_>) -> Done {
    match edits.first_of_two_units() {
        Some((character, edit)) if E::COUNTS == Counts::Characters => Err(Trouble::failure(
            "character-not-held",
            format!(
                "it counts characters, and the trace UTF-16 units: edit {edit} types {character:?} (U+{:X}), which is two",
                character as u32
            ),
        )),
        _ => Ok(()),
    }
}

/// Hands out the edits one by one, and times what is done between.
struct Pace<'a> {
    once: &'a [Edit<'a>],
    rest: std::slice::Iter<'a, Edit<'a>>,
    watch: Stopwatch,
}

impl<'a> Pace<'a> {
    fn new(edits: &'a Edits<'a>, limit: Duration) -> Self {
        Pace { once: &edits.once, rest: edits.once.iter(), watch: Stopwatch::new(edits.count(), limit) }
    }

    /// Fails with `out-of-time` where not all were made.
    fn require_all(self) -> Done<Stopwatch> {
        let (done, count) = (self.watch.done(), self.watch.count());
        if done == count {
            return Ok(self.watch);
        }
        let seconds = self.watch.total().as_secs_f64();
        let message = format!("it had made {done} of {count} edits after {seconds:.1} s");
        Err(Trouble::failure("out-of-time", message))
    }
}

impl<'a> Iterator for Pace<'a> {
    type Item = Edit<'a>;

    #[inline]
    fn next(&mut self) -> Option<Edit<'a>> {
        if !self.watch.goes_on() {
            return None;
        }
        if self.rest.len() == 0 {
            self.rest = self.once.iter();
        }
        self.rest.next().copied()
    }
}

/// Makes all edits; their time is all of it, or with a transaction's end.
fn time<E: Engine>(
    document: &mut E,
    updates: &mut Updates,
    edits: &Edits<'_>,
    task: &Task,
) -> Done<(Stopwatch, Duration)> {
    match task.observed {
        Observed::Updates => time_each(document, edits, task.limit, |document| updates.take_from(document)),
        Observed::Edits => time_each(document, edits, task.limit, |_| Ok(())),
        Observed::Once => time_together(document, edits, task.limit),
    }
}

/// An update of a key, in bytes, as many engines have it.
const USUAL_UPDATE: [u8; 30] = [0; 30];

/// An engine that does nothing.
struct Idle;

impl Engine for Idle {
    const COUNTS: Counts = Counts::Utf16Units;

    fn open(_identity: f64, _updates: bool) -> Done<Self> {
        Ok(Idle)
    }

    fn edit(&mut self, edit: Edit<'_>) -> Done {
        black_box(edit);
        Ok(())
    }

    fn together<'a>(&mut self, mut edits: impl Iterator<Item = Edit<'a>>) -> Done {
        edits.try_for_each(|edit| self.edit(edit))
    }

    fn held(&self) -> Done<Held> {
        Ok(Held::Length(0))
    }

    fn take_update(&mut self, into: &mut Vec<u8>) -> Done {
        into.extend_from_slice(black_box(&USUAL_UPDATE));
        Ok(())
    }
}

/// So often until the edits lie in the caches as far as they fit. The least counts: others may interrupt so short a loop.
const HARNESS_ROUNDS: usize = 4;

/// Cost of the loop without an engine.
fn harness_ns_per_edit(store: impl Fn() -> Updates, edits: &Edits<'_>, task: &Task) -> Done<f64> {
    let mut least = Duration::MAX;
    for _ in 0..HARNESS_ROUNDS {
        let (_, total) = time(&mut Idle, &mut store(), edits, task)?;
        least = least.min(total);
    }
    Ok(1e9 * least.as_secs_f64() / edits.count() as f64)
}

fn time_each<E: Engine>(
    document: &mut E,
    edits: &Edits<'_>,
    limit: Duration,
    mut after_each: impl FnMut(&mut E) -> Done,
) -> Done<(Stopwatch, Duration)> {
    let mut pace = Pace::new(edits, limit);
    for edit in pace.by_ref() {
        document.edit(edit)?;
        after_each(document)?;
    }
    let watch = pace.require_all()?;
    let total = watch.total();
    Ok((watch, total))
}

/// The transaction's end counts, too: there some engines do their work.
fn time_together<E: Engine>(document: &mut E, edits: &Edits<'_>, limit: Duration) -> Done<(Stopwatch, Duration)> {
    let mut pace = Pace::new(edits, limit);
    let started = Instant::now();
    document.together(pace.by_ref())?;
    let total = started.elapsed();
    Ok((pace.require_all()?, total))
}

/// The document as it is stored, and whether it comes back.
fn measure_saved<E: Engine>(document: &mut E, edits: &Edits<'_>) -> Done {
    let encodings = document.save()?;
    let Some(Encoding { bytes: usual, .. }) = encodings.first() else { return Ok(()) };
    print_figure("savedKiB", usual.len() as f64 / KIB);
    for (figure, history) in [("savedWithHistoryKiB", true), ("savedWithoutHistoryKiB", false)] {
        let sizes = encodings.iter().filter(|each| each.has_history == history).map(|each| each.bytes.len());
        if let Some(least) = sizes.min() {
            print_figure(figure, least as f64 / KIB);
        }
    }
    if let Some(v2) = encodings.iter().find(|each| each.name == "V2") {
        print_figure("savedV2KiB", v2.bytes.len() as f64 / KIB);
    }
    let started = Instant::now();
    let loaded = E::load(usual)?;
    // Some engines put off their work until somebody reads.
    let held = loaded.held()?;
    print_figure("loadMs", 1e3 * started.elapsed().as_secs_f64());
    held.require(edits.end_content, "the document that was saved and loaded")
}

/// Keys of 112 users in 50 ms, at 6 keys a second: the receive batch of the largest cell of the Collabs paper.
const BATCH_EDITS: usize = 34;

/// The other side, a replica that follows another's typing. Applies the updates one by one at an empty replica, and in batches at another, each for so long at most.
fn measure_remote<E: Engine>(updates: &Updates, edits: &Edits<'_>, task: &Task) -> Done {
    for (name, size) in [("", 1), ("Batched", BATCH_EDITS)] {
        let mut replica = E::open(task.identities[1], false)?;
        let batches = updates.batches(size);
        let mut rest = batches.iter();
        let mut watch = Stopwatch::new(batches.len(), task.remote);
        while watch.goes_on() {
            let Some(batch) = rest.next() else { break };
            replica.receive(batch)?;
        }
        let given = updates.count().min(watch.done() * size);
        print_figure(&format!("remote{name}EditsPerSecond"), given as f64 / watch.total().as_secs_f64());
        print_figure(&format!("remote{name}Edits"), given as f64);
        let subject = format!("a replica that took in {given} updates");
        if given == edits.count() {
            replica.held()?.require(edits.end_content, &subject)?;
        } else {
            replica.held()?.require(&edits.content_after(given), &subject)?;
        }
    }
    Ok(())
}

/// Resident memory of this process; nothing if the system does not tell.
fn resident_bytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok()? * KIB)
}
