//! `scriptorium-native replay …`: one trial of an engine that is a Rust crate.
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
use serde_json::json;
use std::panic::catch_unwind;
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str =
    "scriptorium-native replay --engine NAME --observe updates|edits|once --edits FILE --limit-ms N --remote-ms N";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // The panic’s message stands on stderr.
    let Ok(done) = catch_unwind(|| run(&arguments)) else { return ExitCode::FAILURE };
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

fn run(arguments: &[String]) -> Done {
    match arguments.split_first() {
        Some((command, flags)) if command == "replay" => replay(flags),
        _ => Err(Trouble::Fault(format!("its use:\n{USAGE}"))),
    }
}

fn replay(flags: &[String]) -> Done {
    let name = flag(flags, "--engine")?;
    let replay = find_engine(name).ok_or_else(|| Trouble::Fault(format!("there is no engine {name:?}")))?;
    let observe = flag(flags, "--observe")?;
    let observed = Observed::from_name(observe)
        .ok_or_else(|| Trouble::Fault(format!("--observe {observe}: it is updates, edits or once")))?;
    let task =
        Task { observed, limit: milliseconds(flags, "--limit-ms")?, remote: milliseconds(flags, "--remote-ms")? };
    let path = flag(flags, "--edits")?;
    let wrong = |what: &str| Trouble::Fault(format!("{path}: {what}"));
    let file = std::fs::read(path).map_err(|error| wrong(&error.to_string()))?;
    replay(&parse_edits(&file).map_err(|what| wrong(&what))?, &task)
}

fn flag<'a>(flags: &'a [String], name: &str) -> Done<&'a str> {
    flags
        .chunks_exact(2)
        .find(|pair| pair[0] == name)
        .map(|pair| pair[1].as_str())
        .ok_or_else(|| Trouble::Fault(format!("{name} is missing:\n{USAGE}")))
}

fn milliseconds(flags: &[String], name: &str) -> Done<Duration> {
    let given = flag(flags, name)?;
    match given.parse() {
        Ok(number) => Ok(Duration::from_millis(number)),
        Err(_) => Err(Trouble::Fault(format!("{name} {given}: it is a whole number of milliseconds"))),
    }
}
