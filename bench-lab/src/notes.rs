//! Notes of several arms in as few words: those that differ only in a number are said once, with its range.

/// Joins notes that are the same up to their first number, in the order of their first appearance.
pub fn joined(notes: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut joined: Vec<Counted> = Vec::new();
    for note in notes {
        let note = Counted::of(&note);
        match joined.iter_mut().find(|known| known.is_like(&note)) {
            Some(known) => known.take_in(&note),
            None => joined.push(note),
        }
    }
    joined.into_iter().map(Counted::in_words).collect()
}

/// A note, cut at its first number.
struct Counted {
    before: String,
    /// Smallest and largest; none in a note without a number.
    numbers: Option<(u64, u64)>,
    behind: String,
}

impl Counted {
    fn of(note: &str) -> Counted {
        let whole = || Counted { before: note.to_owned(), numbers: None, behind: String::new() };
        let Some(start) = note.find(|c: char| c.is_ascii_digit()) else { return whole() };
        let length = note[start..].find(|c: char| !c.is_ascii_digit()).unwrap_or(note.len() - start);
        let (number, behind) = note[start..].split_at(length);
        let Ok(number) = number.parse() else { return whole() };
        Counted {
            before: note[..start].to_owned(),
            numbers: Some((number, number)),
            behind: behind.to_owned(),
        }
    }

    fn is_like(&self, other: &Counted) -> bool {
        self.before == other.before
            && self.behind == other.behind
            && self.numbers.is_some() == other.numbers.is_some()
    }

    fn take_in(&mut self, other: &Counted) {
        if let (Some((least, most)), Some((number, _))) = (&mut self.numbers, other.numbers) {
            (*least, *most) = (number.min(*least), number.max(*most));
        }
    }

    fn in_words(self) -> String {
        let numbers = match self.numbers {
            None => String::new(),
            Some((least, most)) if least == most => least.to_string(),
            Some((least, most)) => format!("{least} to {most}"),
        };
        format!("{}{numbers}{}", self.before, self.behind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn join(notes: &[&str]) -> Vec<String> {
        joined(notes.iter().map(|note| note.to_string()))
    }

    #[test]
    fn notes_that_differ_in_their_first_number_alone_are_one() {
        let table: [(&[&str], &[&str]); 7] = [
            (&[], &[]),
            (&["a", "a", "b"], &["a", "b"]),
            (&["11 objects", "12 objects", "11 objects"], &["11 to 12 objects"]),
            (&["takes 3 of 9 hot", "takes 4 of 9 hot"], &["takes 3 to 4 of 9 hot"]),
            (&["takes 3 of 9 hot", "takes 3 of 8 hot"], &["takes 3 of 9 hot", "takes 3 of 8 hot"]),
            (&["ends in 7", "ends in ", "ends in 5"], &["ends in 5 to 7", "ends in "]),
            // Not a number that could be compared, and not to be changed either.
            (&["99999999999999999999999"], &["99999999999999999999999"]),
        ];
        for (notes, expected) in table {
            assert_eq!(join(notes), expected, "{notes:?}");
        }
    }
}
