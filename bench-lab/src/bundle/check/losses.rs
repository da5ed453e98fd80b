//! What components are said to cost, and what is let pass unsaid.

use protocol::losses::{Cost, Tolerance};
use toml::Spanned;

use super::super::schema;
use super::Checker;

/// How alike a text must be to a cost that is measured to be taken for a slip of the pen.
const SLIP: f64 = 0.9;

/// How much may be let pass, percent.
const MOST_PERCENT: f64 = 1000.0;

impl Checker<'_> {
    /// Every declared cost is one that the lab measures, or told in words.
    pub(super) fn costs(
        &mut self,
        written: &schema::Component,
        lanes: &[Spanned<schema::Lane>],
    ) -> Vec<String> {
        let mut costs = Vec::new();
        for cost in written.costs.iter().flatten() {
            let text = cost.get_ref().trim();
            match Cost::parse(text) {
                Some(Cost::Lane(lane)) => self.cost_of_lane(cost, &lane, lanes),
                Some(Cost::Words(words)) if slip(&words).is_none() => {}
                Some(Cost::Measured(_)) => {}
                Some(Cost::Words(_)) | None => {
                    let problem = self.source.at(cost.span(), "not a cost").found(format!("`{text}`"));
                    let expected = format!(
                        "one of `{}`, or several words for what the lab cannot measure",
                        Cost::MEASURED.join("`, `")
                    );
                    self.problems.push(problem.expected(expected).nearest(text, &Cost::MEASURED));
                    continue;
                }
            }
            if costs.iter().any(|known| known == text) {
                self.complain(cost.span(), "a cost stands twice", format!("`{text}`"), "each once");
            }
            costs.push(text.to_string());
        }
        costs
    }

    fn cost_of_lane(&mut self, cost: &Spanned<String>, lane: &str, lanes: &[Spanned<schema::Lane>]) {
        let known: Vec<&String> = lanes.iter().map(|lane| lane.get_ref().name.get_ref()).collect();
        if !known.iter().any(|known| *known == lane) {
            let problem = self.source.at(cost.span(), "no such lane").found(format!("`{lane}`"));
            self.problems.push(problem.one_of(lane, &known));
        }
    }

    /// The defaults, with what the bundle says instead.
    pub(super) fn tolerance(&mut self, written: &schema::Tolerance) -> Tolerance {
        let mut tolerance = Tolerance::default();
        for (written, allowance) in [
            (&written.memory_percent, &mut tolerance.memory.percent),
            (&written.executable_size_percent, &mut tolerance.executable_size.percent),
            (&written.start_up_time_percent, &mut tolerance.start_up_time.percent),
            (&written.lane_percent, &mut tolerance.lane_percent),
        ] {
            let Some(percent) = written else { continue };
            *allowance = *percent.get_ref();
            if !(0.0..=MOST_PERCENT).contains(percent.get_ref()) {
                let found = format!("{} %", percent.get_ref());
                let expected = format!("0 to {MOST_PERCENT} percent");
                self.complain(percent.span(), "not a tolerance", found, &expected);
            }
        }
        for (written, least) in [
            (&written.memory_kib, &mut tolerance.memory.least),
            (&written.executable_size_kib, &mut tolerance.executable_size.least),
        ] {
            let Some(kib) = written else { continue };
            match kib.get_ref().checked_mul(1024) {
                Some(bytes) => *least = bytes,
                None => {
                    let found = format!("{} KiB", kib.get_ref());
                    self.complain(kib.span(), "not a tolerance", found, "a size that a file can have");
                }
            }
        }
        if let Some(ms) = &written.start_up_time_ms {
            tolerance.start_up_time.least = (ms.get_ref() * 1e6).round() as u64;
            if !(0.0..=3_600_000.0).contains(ms.get_ref()) {
                let found = format!("{} ms", ms.get_ref());
                self.complain(ms.span(), "not a tolerance", found, "0 to 3600000 ms");
            }
        }
        tolerance
    }
}

/// The cost that the lab measures and that is probably meant.
fn slip(words: &str) -> Option<&'static str> {
    let like = |cost: &&str| strsim::jaro_winkler(&words.to_lowercase(), cost) >= SLIP;
    Cost::MEASURED.into_iter().find(like)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_told_from_other_words() {
        for words in ["executable sizes", "start up time", "startup time", "Executable size"] {
            assert!(slip(words).is_some(), "{words}");
        }
        for words in ["processors without BMI2", "more code to keep", "memory bandwidth of neighbours"] {
            assert_eq!(slip(words), None, "{words}");
        }
    }
}
