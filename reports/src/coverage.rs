//! What the draws moved, arm by arm.

use std::collections::BTreeSet;

use protocol::ProcessRecord;

use crate::trial::Trial;

/// Of how many so many moved.
pub type Count = (usize, usize);

/// One arm over all draws.
pub struct Coverage<'a> {
    /// The arm's name.
    pub arm: &'a str,
    /// Different executables.
    pub executables: usize,
    /// Functions elsewhere than as first linked, in the draw with the least and the most of them.
    pub functions: (Count, Count),
    /// The same of static data.
    pub data: (Count, Count),
    /// Where functions start in a cache line.
    pub quarters: Option<[Share; 4]>,
}

/// A share of all functions over many draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// Its mean.
    pub mean: f64,
    /// In the draw where it is least.
    pub least: f64,
    /// In the draw where it is most.
    pub most: f64,
}

/// Every arm that has records.
pub fn coverage<'a>(trial: &Trial<'a>) -> Vec<Coverage<'a>> {
    let arm = |name: &'a str| {
        let records: Vec<&ProcessRecord> = trial.records.iter().filter(|record| record.arm == name).collect();
        let images: BTreeSet<&str> =
            records.iter().map(|record| record.draw.executable_sha256.as_str()).collect();
        Some(Coverage {
            arm: name,
            executables: images.len(),
            functions: range(&records, |record| record.draw.moved_functions)?,
            data: range(&records, |record| record.draw.moved_data)?,
            quarters: quarters(records),
        })
    };
    trial.plan.arms.iter().filter_map(|facts| arm(&facts.name)).collect()
}

/// The smallest and the largest share.
fn range(records: &[&ProcessRecord], part: fn(&ProcessRecord) -> Count) -> Option<(Count, Count)> {
    let mut counts: Vec<Count> = records.iter().map(|record| part(record)).collect();
    counts.sort_by(|a, b| (a.0 as u128 * b.1 as u128).cmp(&(b.0 as u128 * a.1 as u128)));
    Some((*counts.first()?, *counts.last()?))
}

/// Where in a cache line functions start, quarter by quarter; none where the records do not tell.
pub fn quarters<'a>(records: impl IntoIterator<Item = &'a ProcessRecord>) -> Option<[Share; 4]> {
    let counts = records.into_iter().filter_map(|record| record.draw.line_phases);
    let counts: Vec<[usize; 4]> = counts.filter(|counts| counts.iter().sum::<usize>() > 0).collect();
    let share = |quarter: usize| {
        let shares = counts.iter().map(|counts| counts[quarter] as f64 / counts.iter().sum::<usize>() as f64);
        let (sum, least, most) = shares.fold((0.0, 1.0, 0.0), |(sum, least, most), share: f64| {
            (sum + share, f64::min(least, share), f64::max(most, share))
        });
        Share { mean: sum / counts.len() as f64, least, most }
    };
    (!counts.is_empty()).then(|| [0, 1, 2, 3].map(share))
}
