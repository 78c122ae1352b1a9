//! `scriptorium-native JSON`: one trial of an engine that is a Rust crate, by the task that `replay/main.ts` gets, too.
//!
//! Prints lines of the record on stdout. A failure of the engine is such a line, too; any other trouble stands on stderr,
//! and the exit code is 1.

mod edits;
mod engine;
mod engines;
mod measure;
mod stopwatch;
mod updates;

use edits::parse_edits;
use engine::{Done, Observed, Trouble};
use engines::find_engine;
use measure::Task;
use serde_json::{Value, json};
use std::panic::catch_unwind;
use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    let task = std::env::args().nth(1).unwrap_or_default();
    // The panic’s message stands on stderr.
    let Ok(done) = catch_unwind(|| replay(&task)) else { return ExitCode::FAILURE };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Trouble::Failure { code, message }) => {
            println!("{}", json!({ "type": "failure", "code": code, "message": message }));
            ExitCode::SUCCESS
        }
        Err(Trouble::Fault(message)) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn replay(task: &str) -> Done {
    let task: Value = serde_json::from_str(task)?;
    let name = text(&task, "engine")?;
    let replay = find_engine(name).ok_or_else(|| Trouble::Fault(format!("there is no engine {name:?}")))?;
    let observe = text(&task, "observe")?;
    let observed = Observed::from_name(observe)
        .ok_or_else(|| Trouble::Fault(format!("observe {observe}: it is updates, edits or once")))?;
    let [limit, remote] = [duration(&task, "limitMs")?, duration(&task, "remoteMs")?];
    let identities = [identity(&task, 0)?, identity(&task, 1)?];
    let path = text(&task, "edits")?;
    let wrong = |what: &str| Trouble::Fault(format!("{path}: {what}"));
    let file = std::fs::read(path).map_err(|error| wrong(&error.to_string()))?;
    let edits = parse_edits(&file).map_err(|what| wrong(&what))?;
    replay(&edits, &Task { observed, identities, limit, remote })
}

fn text<'a>(task: &'a Value, name: &str) -> Done<&'a str> {
    task[name].as_str().ok_or_else(|| Trouble::Fault(format!("{name} {}: it is a text", task[name])))
}

fn duration(task: &Value, name: &str) -> Done<Duration> {
    match task[name].as_f64() {
        Some(milliseconds) if milliseconds >= 0.0 => Ok(Duration::from_secs_f64(milliseconds / 1e3)),
        _ => Err(Trouble::Fault(format!("{name} {}: it is a number of milliseconds", task[name]))),
    }
}

fn identity(task: &Value, number: usize) -> Done<f64> {
    let written = &task["identities"][number];
    let in_range = written.as_f64().filter(|identity| (0.0..1.0).contains(identity));
    in_range.ok_or_else(|| Trouble::Fault(format!("identities {number} {written}: it is a number in [0, 1)")))
}
