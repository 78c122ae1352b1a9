//! Whether an engine holds what it must, and where it first does not.

use crate::engine::{Done, Held, Trouble};

/// UTF-16 units shown on each side of a difference.
const CONTEXT: usize = 20;

/// Fails with `wrong-content`; `whose` says whose text it is.
pub fn require(held: Held, expected: &str, whose: &str) -> Done {
    match held {
        Held::Text(seen) if seen == expected => Ok(()),
        Held::Text(seen) => Err(Trouble::failure("wrong-content", difference(&seen, expected, whose))),
        Held::Length(seen) => {
            let length = expected.encode_utf16().count();
            if seen == length {
                return Ok(());
            }
            let message = format!("{whose} is {seen} characters long, and must be {length}");
            Err(Trouble::failure("wrong-content", message))
        }
    }
}

fn difference(seen: &str, expected: &str, whose: &str) -> String {
    let [seen, expected] = [seen, expected].map(|text| text.encode_utf16().collect::<Vec<u16>>());
    let place = seen.iter().zip(&expected).take_while(|(one, other)| one == other).count();
    format!(
        "{whose} holds another text than was typed: first at character {place}, expected {}, saw {} \
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
