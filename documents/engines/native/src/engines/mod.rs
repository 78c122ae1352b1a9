//! The engines that are here: one line for each, in alphabetical order of their files.

use crate::edits::Edits;
use crate::engine::{About, Done, Engine};
use crate::measure::{Task, replay};

mod last_update;

/// An engine’s description of itself, and its replay.
pub type Listed = (About, fn(&Edits<'_>, &Task) -> Done);

/// Each file has its engine as `Replica`.
macro_rules! engines {
    ($($file:ident),* $(,)?) => {
        $(mod $file;)*
        pub const ENGINES: &[Listed] = &[$((<$file::Replica as Engine>::ABOUT, replay::<$file::Replica>)),*];
    };
}

engines! {
    automerge,
    cola,
    diamond_types,
    jumprope,
    loro,
    ropey,
    yrs,
}
