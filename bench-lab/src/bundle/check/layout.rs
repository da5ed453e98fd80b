//! What is drawn.

use layouts::parts::{Part, Parts};
use protocol::plan::TablesOption;
use toml::Spanned;

use super::super::{Layout, schema};
use super::Checker;
use super::kind::Kind;

impl Checker<'_> {
    /// Everything that can be is drawn unless the bundle fixes it; something must be.
    pub(super) fn layout(&mut self, written: &schema::Layout, kind: Option<Kind>) -> Layout {
        let tables = written.tables.as_ref().and_then(|tables| self.tables(tables));
        let possible = |part: &Part| match part {
            Part::Tables => tables.is_some(),
            part => kind != Some(Kind::Prebuilt) || !Layout::NEEDS_LINK.contains(part),
        };
        let drawn = |part: &Part| written.part(*part).is_none_or(|drawn| *drawn.get_ref());
        for part in Part::ALL.into_iter().filter(|part| !possible(part)) {
            if let Some(written) = written.part(part).filter(|drawn| *drawn.get_ref()) {
                let found = format!("`{} = true`", part.name());
                let expected =
                    "executables that the lab links; of prebuilt ones only stack, mapping and copy are drawn";
                self.complain(written.span(), "it cannot be drawn", found, expected);
            }
        }
        let all = Part::ALL.into_iter();
        let parts = all.clone().filter(possible).filter(drawn).fold(Parts::none(), Parts::with);
        if all.clone().all(|part| !parts.contains(part)) {
            let last =
                all.filter_map(|part| written.part(part)).map(Spanned::span).max_by_key(|span| span.end);
            let found = "every part fixed".to_string();
            self.complain(last.unwrap_or(0..0), "nothing is drawn", found, "at least one part that is drawn");
        }
        Layout { seed: written.seed, parts, tables }
    }

    fn tables(&mut self, written: &schema::Tables) -> Option<TablesOption> {
        let (option, values) = (written.option.get_ref(), *written.values.get_ref());
        if option.trim().is_empty() {
            let expected = "the name of a UCI option that moves the engine's tables";
            self.complain(written.option.span(), "no option", "an empty name".into(), expected);
            return None;
        }
        if values < 2 {
            let expected = "at least 2: the option is set to a number from 0 to one less";
            self.complain(written.values.span(), "nothing to draw from", values.to_string(), expected);
            return None;
        }
        Some(TablesOption { option: option.clone(), values })
    }
}
