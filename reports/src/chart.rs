//! A plot as an element of the page or as a file of its own: drawn, coloured by role, named for those who don't see it.

use std::fmt;
use std::io;

use plotters::drawing::DrawingAreaErrorKind;

use crate::pen::Pen;
use crate::theme::themed;
use crate::trial::ReportError;

/// A drawn plot. As text it is an `svg` element for the page: it scales by its view box and follows the page's colours.
pub struct Chart {
    /// Width and height, in the units of its view box.
    pub size: (u32, u32),
    /// What it shows, in words.
    pub label: String,
    /// The marks.
    pub body: String,
}

/// Draws a plot of this size.
///
/// `label` is its text for screen readers; the notes that the pen took become the tool tips of the points.
pub fn chart(
    size: (u32, u32),
    label: &str,
    draw: impl FnOnce(&mut Pen) -> Result<(), DrawingAreaErrorKind<io::Error>>,
) -> Result<Chart, ReportError> {
    let mut svg = String::new();
    let mut pen = Pen::new(&mut svg, size);
    let notes = draw(&mut pen)
        .and_then(|()| pen.finish())
        .map_err(|error| ReportError::Draw { plot: label.to_owned(), message: error.to_string() })?;
    let drawn = noted(&themed(&svg), &notes);
    // The head that plotters wrote has fixed sizes and no name, and its last line ends the element.
    let body = drawn.split_once('>').map_or("", |(_, body)| body.trim_end());
    let body = body.strip_suffix("</svg>").unwrap_or(body);
    Ok(Chart { size, label: label.to_owned(), body: body.to_owned() })
}

impl fmt::Display for Chart {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let (Self { size: (width, height), body, .. }, label) = (self, escape(&self.label));
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{label}\" \
             viewBox=\"0 0 {width} {height}\" style=\"max-width:{width}px\">{body}</svg>"
        )
    }
}

/// Opens every phase value's circle and puts its note in.
fn noted(svg: &str, notes: &[String]) -> String {
    let mut out = String::with_capacity(svg.len() + notes.iter().map(|note| note.len() + 28).sum::<usize>());
    let mut notes = notes.iter();
    for line in svg.lines() {
        let point = line.starts_with("<circle") && line.contains("fill=\"var(--point)\"");
        match line.strip_suffix("/>").filter(|_| point).zip(point.then(|| notes.next()).flatten()) {
            Some((open, note)) => out.extend([open, "><title>", &escape(note), "</title></circle>\n"]),
            None => out.extend([&rounded(line), "\n"]),
        }
    }
    out
}

/// Font sizes come with rounding noise.
fn rounded(line: &str) -> String {
    const KEY: &str = "font-size=\"";
    let Some((before, rest)) = line.split_once(KEY) else { return line.to_owned() };
    match rest.split_once('"').and_then(|(size, after)| Some((size.parse::<f64>().ok()?, after))) {
        Some((size, after)) => format!("{before}{KEY}{}\"{after}", size.round()),
        None => line.to_owned(),
    }
}

/// Text as XML writes it.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            control if control.is_control() => out.push(' '),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pen::{Fill, Side};
    use crate::theme::Role;

    #[test]
    fn a_plot_is_well_formed_named_and_without_fixed_colours() {
        let svg = chart((100, 50), "<script>&\"", |pen| {
            pen.point((10, 10), "run 1 <b>".to_owned())?;
            pen.dot((20, 20), 4, Role::Pass, Fill::Hollow)?;
            pen.text("<script>alert('#00A55A')</script>", (5, 5), Side::Right, Role::Ink)
        })
        .unwrap()
        .to_string();
        let tree = roxmltree::Document::parse(&svg).unwrap();
        let root = tree.root_element();
        assert_eq!(root.attribute("aria-label"), Some("<script>&\""));
        assert_eq!(root.attribute("role"), Some("img"));
        let text = tree
            .descendants()
            .find(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")))
            .unwrap();
        assert_eq!(text.text().unwrap().trim(), "<script>alert('#00A55A')</script>");
        let title = tree
            .descendants()
            .find(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "title")))
            .unwrap();
        assert_eq!(title.text(), Some("run 1 <b>"));
        for node in tree.descendants() {
            assert!(node.attributes().all(|attribute| !attribute.value().starts_with('#')), "{svg}");
        }
        assert!(svg.contains("font-size=\"13\""), "{svg}");
    }
}
