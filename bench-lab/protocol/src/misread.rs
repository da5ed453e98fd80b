//! Why a line is not what it should be, in words.

/// What is wrong with a line that should be JSON of a known kind. The parser sees that line alone, so that its own number
/// of it means nothing.
pub(crate) fn told(error: &serde_json::Error) -> String {
    let said = error.to_string().replace(" at line 1 column ", " at column ");
    match error.is_data() {
        true => format!("JSON of another kind ({said})"),
        false => format!("not JSON ({said})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_json_is_told_from_none() {
        let told = |text: &str| told(&serde_json::from_str::<[u8; 1]>(text).expect_err(text));
        assert_eq!(told("name = \"tiny\""), "not JSON (expected ident at column 2)");
        assert_eq!(told("[1"), "not JSON (EOF while parsing a list at column 2)");
        assert!(told("{}").starts_with("JSON of another kind (invalid type: map, expected "));
    }
}
