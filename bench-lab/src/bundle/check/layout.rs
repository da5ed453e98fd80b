//! What is drawn.

use layouts::parts::{Part, Parts};
use toml::Spanned;

use super::super::{Layout, schema};
use super::Checker;

impl Checker<'_> {
    /// Everything is drawn unless the bundle fixes it; something must be.
    pub(super) fn layout(&mut self, written: &schema::Layout) -> Layout {
        let fixed = |part: &Part| written.part(*part).is_some_and(|drawn| !*drawn.get_ref());
        let parts = Part::ALL.into_iter().filter(fixed).fold(Parts::all(), Parts::without);
        if Part::ALL.into_iter().all(|part| !parts.contains(part)) {
            let last = written.part(Part::Copy).map_or(0..0, Spanned::span);
            let found = "every part fixed".to_string();
            self.complain(last, "nothing is drawn", found, "at least one part that is drawn");
        }
        Layout { seed: written.seed, parts }
    }
}
