//! A badge for a README: the gate's state in an SVG of its own.

use super::super::state::State;

/// Width of a character, roughly, and the room around a word.
const CHARACTER: usize = 7;
const ROOM: usize = 12;
const LABEL: &str = "gate";

/// The badge. White words on each of its colours have a contrast of at least 4.5.
pub fn badge(state: State) -> String {
    let colour = match state {
        State::Held => "#1b7f37",
        State::Lost => "#b42318",
        State::CannotSay => "#8a5a00",
        State::Void => "#5f6368",
    };
    let words = state.words();
    let width = |text: &str| text.len() * CHARACTER + ROOM;
    let (left, right) = (width(LABEL), width(words));
    let all = left + right;
    let (at_label, at_words) = (left / 2, left + right / 2);
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{all}" height="20" role="img" aria-label="{LABEL}: {words}">
  <title>{LABEL}: {words}</title>
  <rect width="{left}" height="20" fill="#3c4043"/>
  <rect x="{left}" width="{right}" height="20" fill="{colour}"/>
  <g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">
    <text x="{at_label}" y="14">{LABEL}</text>
    <text x="{at_words}" y="14">{words}</text>
  </g>
</svg>
"##
    )
}
