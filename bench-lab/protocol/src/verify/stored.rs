//! The stored verdict against the one that plan and records give.

use super::{Misfit, PLAN, RECORDS, VERDICT};
use crate::Verdict;
use crate::verdict::differences;

/// The stored verdict: of this plan, as far as it says.
pub(super) struct Stored<'a> {
    bytes: &'a [u8],
    known: Verdict,
}

/// Reads the verdict, which must name the plan.
pub(super) fn read<'a>(bytes: Option<&'a [u8]>, plan_id: &str) -> Result<Stored<'a>, Misfit> {
    let Some(bytes) = bytes else {
        return Err(Misfit::file(VERDICT, "found none, expected the verdict of a finished trial"));
    };
    let known: Verdict = serde_json::from_slice(bytes).map_err(|e| {
        let told = e.to_string();
        let what = told.split(" at line ").next().unwrap_or(&told);
        Misfit::line(VERDICT, e.line(), format!("found {what}, expected a verdict"))
    })?;
    if known.plan_id != plan_id {
        let says = &known.plan_id;
        return Err(Misfit::file(
            PLAN,
            format!("found SHA-256 {plan_id}, expected {says} as {VERDICT} says"),
        ));
    }
    Ok(Stored { bytes, known })
}

impl Stored<'_> {
    /// Compares the digest of the records first, so that the file which was changed is named, then every line.
    pub(super) fn compare(&self, computed: &Verdict) -> Result<(), Misfit> {
        let Stored { bytes, known } = self;
        let expected = computed.text().map_err(|e| Misfit::file(VERDICT, e))?;
        if *bytes == expected.as_bytes() {
            return Ok(());
        }
        if known.records_sha256 != computed.records_sha256 {
            let (found, says) = (&computed.records_sha256, &known.records_sha256);
            let what =
                format!("found SHA-256 {found}, expected {says} as {VERDICT} says{}", first(known, computed));
            return Err(Misfit::file(RECORDS, what));
        }
        let text = String::from_utf8_lossy(bytes);
        let mut found = text.lines();
        for (line, expected) in (1..).zip(expected.lines()) {
            let found = found.next().unwrap_or("the end");
            if found != expected {
                let what = format!("found `{}`, expected `{}`", found.trim(), expected.trim());
                return Err(Misfit::line(VERDICT, line, format!("{what}{}", first(known, computed))));
            }
        }
        let line = expected.lines().count() + 1;
        Err(Misfit::line(VERDICT, line, "found more, expected the end"))
    }
}

/// A value that the records give otherwise: the first phase value, which others follow from, where there is one.
fn first(stored: &Verdict, computed: &Verdict) -> String {
    let same_records = Verdict { records_sha256: computed.records_sha256.clone(), ..stored.clone() };
    let all = differences(&same_records, computed);
    let phase = all.iter().find(|differs| differs.place.contains(".phases["));
    match phase.or(all.first()) {
        Some(differs) => {
            let (place, stored, computed) = (&differs.place, &differs.stored, &differs.computed);
            format!("; {VERDICT} has {place}: {stored}, the records give {computed}")
        }
        None => String::new(),
    }
}
