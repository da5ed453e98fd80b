//! Colours by role.
//!
//! Plotters writes colours as numbers. Every role has a number of its own, which
//! [`themed`] replaces by a CSS variable; `templates/report.css` gives the variables
//! their light, dark and print values.

use plotters::style::RGBColor;

/// What a colour stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Text and marks that must be read.
    Ink,
    /// Labels of axes.
    Muted,
    /// Lines that only guide the eye.
    Grid,
    /// The line of no gain.
    Zero,
    /// The ±2.0 band around a run's median.
    Band,
    /// One phase value.
    Point,
    /// A run's mean or median.
    Centre,
    /// What passed.
    Pass,
    /// What did not, or lies outside the band.
    Fail,
    /// A/A noise.
    Noise,
    /// The page behind hollow marks.
    Paper,
}

const ROLES: [(Role, &str); 11] = [
    (Role::Ink, "ink"),
    (Role::Muted, "muted"),
    (Role::Grid, "grid"),
    (Role::Zero, "zero"),
    (Role::Band, "band"),
    (Role::Point, "point"),
    (Role::Centre, "centre"),
    (Role::Pass, "pass"),
    (Role::Fail, "fail"),
    (Role::Noise, "noise"),
    (Role::Paper, "card"),
];

impl Role {
    /// The number that stands for the role until [`themed`] has seen it.
    pub fn color(self) -> RGBColor {
        RGBColor(self as u8, 0xA5, 0x5A)
    }
}

/// Puts the variables in the place of the numbers and drops attributes that say nothing.
///
/// Texts cannot be hit: plotters escapes their quotes.
pub fn themed(svg: &str) -> String {
    let mut out = svg
        .replace(" opacity=\"1\"", "")
        .replace(" stroke=\"none\" stroke-width=\"1\"", "")
        .replace(" stroke=\"none\"", "")
        .replace(" font-family=\"sans-serif\"", "");
    for (role, name) in ROLES {
        let RGBColor(red, green, blue) = role.color();
        out = out.replace(&format!("\"#{red:02X}{green:02X}{blue:02X}\""), &format!("\"var(--{name})\""));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_are_in_one_order() {
        for (index, (role, _)) in ROLES.into_iter().enumerate() {
            assert_eq!(role as usize, index);
        }
    }

    #[test]
    fn every_role_becomes_its_variable() {
        assert_eq!(
            themed("<g fill=\"#00A55A\" stroke=\"#0AA55A\"/>"),
            "<g fill=\"var(--ink)\" stroke=\"var(--card)\"/>"
        );
    }
}
