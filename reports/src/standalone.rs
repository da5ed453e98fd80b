//! A plot as a file of its own: with the page's colours, light and dark, a ground, a heading and its keys.

use crate::chart::{Chart, escape};
use crate::keys::Key;
use crate::words::short;

/// By what a file is known as drawn here.
pub const MARK: &str = "data-drawn-by=\"bench-lab\"";

const MARGIN: u32 = 16;
const HEAD: u32 = 46;
const LINE: u32 = 24;
/// Mean width of a letter at 13 units, from above.
const LETTER: u32 = 7;
/// The same of the heading.
const CAPITAL: u32 = 9;

/// The plot under its title and over its keys; the title and the plot's own label name it for those who don't see it.
pub fn standalone(chart: &Chart, title: &str, keys: &[Key]) -> String {
    let (width, height) = (chart.size.0 + 2 * MARGIN, chart.size.1);
    let (keys, lines) = keyed(keys, width, HEAD + height);
    let all = HEAD + height + lines * LINE + MARGIN;
    let heading = short(title, ((width - 2 * MARGIN) / CAPITAL) as usize);
    let (title, said, heading) = (escape(title), escape(&chart.label), escape(&heading));
    let (palette, body) = (palette(), &chart.body);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" {MARK} role=\"img\" aria-labelledby=\"title desc\" \
         viewBox=\"0 0 {width} {all}\" width=\"{width}\" height=\"{all}\">\n\
         <title id=\"title\">{title}</title>\n<desc id=\"desc\">{said}</desc>\n<style>{palette}\n\
         svg {{ max-width: 100%; height: auto; }}\n\
         text {{ font-family: system-ui, \"Liberation Sans\", Arial, sans-serif; }}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"var(--card)\"/>\n\
         <text x=\"{MARGIN}\" y=\"29\" font-size=\"17\" font-weight=\"bold\" fill=\"var(--ink)\">{heading}</text>\n\
         <g transform=\"translate({MARGIN} {HEAD})\">{body}</g>\n{keys}</svg>\n"
    )
}

/// The colours of the page's style sheet, which begins with them.
fn palette() -> &'static str {
    include_str!("../templates/report.css").split_once("\n* {").map_or("", |(palette, _)| palette)
}

/// The keys in lines from `top` on, and how many lines they take.
fn keyed(keys: &[Key], width: u32, top: u32) -> (String, u32) {
    let (mut text, mut left, mut line) = (String::new(), MARGIN, 0);
    for key in keys {
        let needs = key.width + 8 + LETTER * key.words.chars().count() as u32;
        if left > MARGIN && left + needs > width - MARGIN {
            (left, line) = (MARGIN, line + 1);
        }
        let (y, words) = (top + line * LINE, escape(key.words));
        text.push_str(&format!(
            "<g transform=\"translate({left} {y})\">{}<text x=\"{}\" y=\"11\" font-size=\"13\" \
             fill=\"var(--muted)\">{words}</text></g>\n",
            key.mark,
            key.width + 6
        ));
        left += needs + 20;
    }
    (text, if keys.is_empty() { 0 } else { line + 1 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::chart;
    use crate::keys;

    #[test]
    fn a_file_of_its_own_is_named_and_has_its_colours() {
        let plot = chart((300, 100), "what \"it\" shows", |pen| pen.point((5, 5), "one".to_owned())).unwrap();
        let svg = standalone(&plot, "<gains>", &keys::STRIPS);
        let tree = roxmltree::Document::parse(&svg).unwrap();
        let of =
            |name: &str| tree.descendants().find(|node| node.attribute("id") == Some(name)).unwrap().text();
        assert_eq!((of("title"), of("desc")), (Some("<gains>"), Some("what \"it\" shows")));
        assert!(svg.contains("prefers-color-scheme: dark") && svg.contains(MARK));
        for colour in svg.split("var(--").skip(1).filter_map(|rest| rest.split(')').next()) {
            assert_eq!(svg.matches(&format!("--{colour}: ")).count(), 2, "{colour} in light and dark");
        }
    }

    #[test]
    fn keys_that_do_not_fit_go_on_in_the_next_line() {
        let (text, lines) = keyed(&keys::STRIPS, 400, 0);
        assert!(lines > 1 && text.contains(&format!("translate({MARGIN} {LINE})")), "{lines}: {text}");
        assert_eq!(keyed(&[], 400, 0), (String::new(), 0));
    }
}
