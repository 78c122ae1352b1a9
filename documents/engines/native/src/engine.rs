//! An engine: it holds one document and its history, without network, editor or server. No engine times, checks or bounds
//! itself: the measurement does. `native.ts` says what each engine is and offers.

use crate::edits::Edit;

/// The way in which edits are observed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Observed {
    /// Each edit is a transaction of its own, and its update is taken.
    Updates,
    /// The same without taking the update.
    Edits,
    /// One transaction for all edits.
    Once,
}

impl Observed {
    pub fn from_name(name: &str) -> Option<Observed> {
        match name {
            "updates" => Some(Observed::Updates),
            "edits" => Some(Observed::Edits),
            "once" => Some(Observed::Once),
            _ => None,
        }
    }
}

/// The unit of its positions and lengths.
#[derive(PartialEq, Eq)]
pub enum Counts {
    Utf16Units,
    /// The same as UTF-16 units as long as no character takes two of them: it is given no other trace.
    Characters,
}

/// How an engine encodes its document.
pub struct Encoding {
    /// As in the JavaScript engines.
    pub name: &'static str,
    /// True: the document’s history can be had from it.
    pub has_history: bool,
    pub bytes: Vec<u8>,
}

/// Content of a document, to compare it with the trace’s end.
pub enum Held {
    Text(String),
    /// Of an engine that knows where characters are and not which: UTF-16 units.
    Length(usize),
}

/// Why a trial ended early.
pub enum Trouble {
    /// The engine did not do what was asked of it: it counts against it.
    Failure { code: &'static str, message: String },
    /// Anything else.
    Fault(String),
}

impl Trouble {
    pub fn failure(code: &'static str, message: impl Into<String>) -> Self {
        Trouble::Failure { code, message: message.into() }
    }

    pub fn not_offered(message: &str) -> Self {
        Trouble::failure("not-offered", message)
    }
}

impl<E: std::error::Error> From<E> for Trouble {
    fn from(error: E) -> Self {
        Trouble::Fault(error.to_string())
    }
}

pub type Done<T = ()> = Result<T, Trouble>;

/// A document. What the defaults answer is not offered.
pub trait Engine: Sized {
    const COUNTS: Counts;

    /// An empty document, the same for every replica.
    ///
    /// - `identity`: in [0, 1), drawn for the replica; the engine makes one of its own kind and width of it, in the same order
    /// - `updates`: true if every edit's update is taken: then `take_update` is called after each
    fn open(identity: f64, updates: bool) -> Done<Self>;

    /// One edit, in a transaction of its own.
    fn edit(&mut self, edit: Edit<'_>) -> Done;

    /// All edits, in one transaction.
    fn together<'a>(&mut self, _edits: impl Iterator<Item = Edit<'a>>) -> Done {
        Err(Trouble::not_offered("it has no transaction of several edits"))
    }

    fn held(&self) -> Done<Held>;

    /// Appends what others must get of the last edit; of a document that was opened with `updates`.
    fn take_update(&mut self, _into: &mut Vec<u8>) -> Done {
        Err(Trouble::not_offered("it gives no updates of its edits"))
    }

    /// Takes in updates of another replica, in the order in which they were made, as one change.
    fn receive(&mut self, _updates: &[&[u8]]) -> Done {
        Err(Trouble::not_offered("it takes in no updates"))
    }

    /// The document as it is stored: the engine's usual encoding first.
    fn save(&mut self) -> Done<Vec<Encoding>> {
        Ok(Vec::new())
    }

    /// The document that the first of `save`'s encodings holds.
    fn load(_saved: &[u8]) -> Done<Self> {
        Err(Trouble::not_offered("it saves no documents"))
    }
}

/// UTF-16 units shown on each side of a difference.
const CONTEXT: usize = 20;

impl Held {
    /// Fails with `wrong-content` and the first difference; `subject` begins the message, such as "the document".
    pub fn require(self, expected: &str, subject: &str) -> Done {
        match self {
            Held::Text(seen) if seen == expected => Ok(()),
            Held::Text(seen) => Err(Trouble::failure("wrong-content", difference(&seen, expected, subject))),
            Held::Length(seen) => {
                let length = expected.encode_utf16().count();
                if seen == length {
                    return Ok(());
                }
                let message = format!("{subject} is {seen} characters long, and must be {length}");
                Err(Trouble::failure("wrong-content", message))
            }
        }
    }
}

fn difference(seen: &str, expected: &str, subject: &str) -> String {
    let [seen, expected] = [seen, expected].map(|text| text.encode_utf16().collect::<Vec<u16>>());
    let place = seen.iter().zip(&expected).take_while(|(one, other)| one == other).count();
    format!(
        "{subject} holds another text than was typed: first at character {place}, expected {}, saw {} \
         ({} characters expected, {} seen)",
        around(&expected, place),
        around(&seen, place),
        expected.len(),
        seen.len(),
    )
}

fn around(units: &[u16], place: usize) -> String {
    let until = units.len().min(place + CONTEXT);
    let text = String::from_utf16_lossy(&units[place.saturating_sub(CONTEXT)..until]);
    serde_json::Value::from(text).to_string()
}
