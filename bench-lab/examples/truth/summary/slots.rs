//! A gain under slots of several lengths.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;

use super::super::measured::Mean;
use super::{read, table};

pub fn text(folder: &Path) -> anyhow::Result<Option<String>> {
    let mut rows = Vec::new();
    for component in ["threats-i8", "prefetch"] {
        let Some(csv) = read(&folder.join(format!("slices/{component}.csv")))? else { continue };
        rows.extend(of_component(component, &csv).with_context(|| format!("{component}.csv"))?);
    }
    if rows.is_empty() {
        return Ok(None);
    }
    let mut text = "Two executables in turn on one core, with the teacher's net. *Alone*: slots longer than a search.\n\n".to_owned();
    text.push_str(&table(
        &["component", "slots", "phases", "gain", "± 2 standard errors", "sd of a phase"],
        &rows,
    ));
    text.push_str("\nGains in percentage points of log rate.\n");
    Ok(Some(text))
}

fn of_component(component: &str, csv: &str) -> anyhow::Result<Vec<Vec<String>>> {
    let mut slices: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for line in csv.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [slice, .., points] = fields[..] else { anyhow::bail!("`{line}`: expected several fields") };
        // Alone is the longest.
        let slice = match slice.parse()? {
            0 => u64::MAX,
            slice => slice,
        };
        slices.entry(slice).or_default().push(points.parse()?);
    }
    let row = |(slice, points): (u64, Vec<f64>)| {
        let gain = Mean::of(&points);
        let name = if slice == u64::MAX { "alone".to_owned() } else { format!("{} ms", slice as f64 / 1e3) };
        vec![
            component.to_owned(),
            name,
            gain.count.to_string(),
            format!("{:+.2}", gain.value),
            format!("{:.2}", 2.0 * gain.error),
            format!("{:.2}", gain.sd),
        ]
    };
    Ok(slices.into_iter().map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alone_stands_last() {
        let csv = "slice_us,phase,full_nodes,full_cpu_ns,without_nodes,without_cpu_ns,points\n\
            0,1,1,1,1,1,5.0\n2000,1,1,1,1,1,3.0\n0,2,1,1,1,1,7.0\n2000,2,1,1,1,1,3.5\n";
        let rows = of_component("prefetch", csv).expect("good lines");
        let told: Vec<String> = rows.iter().map(|row| row.join(" ")).collect();
        assert_eq!(told, ["prefetch 2 ms 2 +3.25 0.50 0.35", "prefetch alone 2 +6.00 2.00 1.41"]);
    }
}
