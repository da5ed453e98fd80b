//! Canonical JSON and the digests made from it.
//!
//! Canonical means: UTF-8, object keys sorted by their bytes, no space anywhere, no newline at the
//! end, strings and numbers as `serde_json` prints them (integers in full, floats by the shortest
//! digits that read back to the same value, always with `.` or `e`). A value read back from
//! canonical JSON and written again gives the same bytes. Infinite and undefined numbers have no
//! JSON form; [`Plan::check`](crate::Plan::check) refuses them before they get here.

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::plan::{Plan, Workload};

/// The canonical JSON of a value.
///
/// # Errors
/// When the value has no JSON form (a map whose keys are not strings).
pub fn to_bytes<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, serde_json::Error> {
    let mut out = Vec::new();
    write(&serde_json::to_value(value)?, &mut out)?;
    Ok(out)
}

/// The id of a plan: the SHA-256 of its canonical JSON, hex.
///
/// # Errors
/// As [`to_bytes`].
pub fn plan_id(plan: &Plan) -> Result<String, serde_json::Error> {
    Ok(sha256_hex(&to_bytes(plan)?))
}

/// SHA-256 of some bytes.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// SHA-256 of some bytes, as 64 lower-case hex digits.
pub fn sha256_hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    sha256(bytes)
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|nibble| char::from(DIGITS[usize::from(nibble)]))
        .collect()
}

impl Workload {
    /// A workload with its digest filled in.
    pub fn new(positions: Vec<String>, nodes: u64) -> Self {
        let sha256 = digest(&positions, nodes);
        Workload { positions, nodes, sha256 }
    }

    /// The SHA-256, hex, of the line `nodes N` followed by every position on a line of its own,
    /// each line ended by a newline. Equals [`Workload::sha256`] when nobody touched it.
    pub fn digest(&self) -> String {
        digest(&self.positions, self.nodes)
    }
}

fn digest(positions: &[String], nodes: u64) -> String {
    let mut text = format!("nodes {nodes}\n");
    for position in positions {
        text.push_str(position);
        text.push('\n');
    }
    sha256_hex(text.as_bytes())
}

/// Writes a value; sorts keys itself, because a map's own order depends on crate features.
fn write(value: &Value, out: &mut Vec<u8>) -> Result<(), serde_json::Error> {
    match value {
        Value::Array(items) => {
            out.push(b'[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(b',');
                }
                write(item, out)?;
            }
            out.push(b']');
        }
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by(|a, b| a.0.as_bytes().cmp(b.0.as_bytes()));
            out.push(b'{');
            for (i, (key, item)) in entries.into_iter().enumerate() {
                if i > 0 {
                    out.push(b',');
                }
                serde_json::to_writer(&mut *out, key)?;
                out.push(b':');
                write(item, out)?;
            }
            out.push(b'}');
        }
        leaf => serde_json::to_writer(out, leaf)?,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_digest() {
        assert_eq!(sha256_hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn keys_are_sorted_and_nothing_is_padded() {
        let value: Value = serde_json::from_str(r#"{ "b": [1, 2.5, "é\n"], "a": {"z": null, "y": 1e300} }"#)
            .expect("valid JSON");
        let text = String::from_utf8(to_bytes(&value).expect("serialisable")).expect("UTF-8");
        assert_eq!(text, r#"{"a":{"y":1e+300,"z":null},"b":[1,2.5,"é\n"]}"#);
    }

    #[test]
    fn workload_digest_covers_positions_and_nodes() {
        let workload = Workload::new(vec!["a".into(), "b".into()], 5);
        assert_eq!(workload.sha256, sha256_hex(b"nodes 5\na\nb\n"));
        assert_eq!(workload.digest(), workload.sha256);
        let touched = Workload { nodes: 6, ..workload };
        assert_ne!(touched.digest(), touched.sha256);
    }

    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_filter("JSON has finite numbers only", |x| x.is_finite()).prop_map(Value::from),
            ".{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                proptest::collection::vec((".{0,5}", inner), 0..6)
                    .prop_map(|entries| Value::Object(entries.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn round_trip_gives_the_same_bytes(value in json()) {
            let bytes = to_bytes(&value).expect("serialisable");
            let back: Value = serde_json::from_slice(&bytes).expect("canonical JSON is JSON");
            prop_assert_eq!(to_bytes(&back).expect("serialisable"), bytes);
            prop_assert_eq!(back, value);
        }

        #[test]
        fn key_order_does_not_matter(
            entries in proptest::collection::btree_map("[a-zé]{1,4}", any::<i32>(), 0..8),
        ) {
            let text = |pairs: Vec<(&String, &i32)>| {
                let inner: Vec<String> = pairs.iter().map(|(k, v)| format!("{k:?}: {v}")).collect();
                format!("{{{}}}", inner.join(", "))
            };
            let parse = |s: String| serde_json::from_str::<Value>(&s).expect("valid JSON");
            let forward = parse(text(entries.iter().collect()));
            let backward = parse(text(entries.iter().rev().collect()));
            prop_assert_eq!(
                to_bytes(&forward).expect("serialisable"),
                to_bytes(&backward).expect("serialisable")
            );
        }
    }
}
