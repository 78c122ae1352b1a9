//! Reads the file of edits that `documents/replay/edits.ts` makes of a trace, all of it before any clock runs.
//!
//! Little-endian: `SCREDIT1`, the count of edits, and how often all of them are made; then, of each edit once, positions,
//! deleted and inserted lengths, in UTF-16 units; then the inserted texts of each edit once, joined, and the text in the end
//! of all repetitions, each as its length in bytes and UTF-8. Numbers have 32 bits, unsigned.

const MAGIC: &[u8] = b"SCREDIT1";

/// At `position` first `deleted` units go, then `inserted` comes there.
#[derive(Clone, Copy)]
pub struct Edit<'a> {
    pub position: usize,
    pub deleted: usize,
    pub inserted: &'a str,
    /// Of `inserted`, in UTF-16 units.
    pub inserted_units: usize,
}

/// One author's edits of a document that begins empty.
pub struct Edits<'a> {
    pub once: Vec<Edit<'a>>,
    /// How often all of them are made.
    pub repeat: usize,
    /// The document’s text after all of them.
    pub end_content: &'a str,
}

impl<'a> Edits<'a> {
    /// How many are made in all.
    pub fn count(&self) -> usize {
        self.repeat * self.once.len()
    }

    /// The document’s text after the first edits, if each edit is made once.
    pub fn content_after(&self, count: usize) -> String {
        let mut units: Vec<u16> = Vec::new();
        for &Edit { position, deleted, inserted, .. } in &self.once[..count] {
            units.splice(position..position + deleted, inserted.encode_utf16());
        }
        String::from_utf16_lossy(&units)
    }

    /// The first character that takes two UTF-16 units, and the number of its edit, from 0.
    pub fn first_of_two_units(&self) -> Option<(char, usize)> {
        let texts = self.once.iter().enumerate();
        let mut characters = texts.flat_map(|(number, edit)| edit.inserted.chars().map(move |each| (each, number)));
        characters.find(|(each, _)| each.len_utf16() == 2)
    }
}

/// Fails where the file that held these bytes is not one of edits.
pub fn parse_edits(file: &[u8]) -> Result<Edits<'_>, String> {
    let mut rest = file.strip_prefix(MAGIC).ok_or("it holds no edits")?;
    let count = take_number(&mut rest)?;
    let repeat = take_number(&mut rest)?;
    let positions = take_numbers(&mut rest, count)?;
    let deleted = take_numbers(&mut rest, count)?;
    let inserted_units = take_numbers(&mut rest, count)?;
    let inserted = take_text(&mut rest)?;
    let end_content = take_text(&mut rest)?;
    let texts = split(inserted, &inserted_units)?;
    let once = (0..count)
        .map(|index| Edit {
            position: positions[index] as usize,
            deleted: deleted[index] as usize,
            inserted: texts[index],
            inserted_units: inserted_units[index] as usize,
        })
        .collect();
    Ok(Edits { once, repeat, end_content })
}

fn take<'a>(rest: &mut &'a [u8], bytes: usize) -> Result<&'a [u8], String> {
    let (taken, after) = rest.split_at_checked(bytes).ok_or("it ends too early")?;
    *rest = after;
    Ok(taken)
}

fn take_number(rest: &mut &[u8]) -> Result<usize, String> {
    Ok(take_numbers(rest, 1)?[0] as usize)
}

fn take_numbers(rest: &mut &[u8], count: usize) -> Result<Vec<u32>, String> {
    let (numbers, _) = take(rest, 4 * count)?.as_chunks::<4>();
    Ok(numbers.iter().map(|&number| u32::from_le_bytes(number)).collect())
}

fn take_text<'a>(rest: &mut &'a [u8]) -> Result<&'a str, String> {
    let bytes = take_number(rest)?;
    std::str::from_utf8(take(rest, bytes)?).map_err(|error| error.to_string())
}

/// Into texts of so many UTF-16 units.
fn split<'a>(text: &'a str, lengths: &[u32]) -> Result<Vec<&'a str>, String> {
    let mut rest = text;
    let mut texts = Vec::with_capacity(lengths.len());
    for (edit, &length) in lengths.iter().enumerate() {
        let mut characters = rest.chars();
        let mut units = 0;
        while units < length {
            let next = characters.next().ok_or("its texts are shorter than its edits")?;
            units += next.len_utf16() as u32;
        }
        if units > length {
            return Err(format!("its edit {edit} ends within a character"));
        }
        let (first, after) = rest.split_at(rest.len() - characters.as_str().len());
        texts.push(first);
        rest = after;
    }
    Ok(texts)
}
