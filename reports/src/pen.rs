//! Drawing marks in their roles' colours on a plotters canvas.

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Polygon, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontFamily, FontStyle, IntoTextStyle, ShapeStyle};

use crate::theme::Role;

/// Where a text stands from its point.
#[derive(Clone, Copy)]
pub enum Side {
    /// The text ends at the point.
    Left,
    /// The text is centred on the point.
    Middle,
    /// The text begins at the point.
    Right,
}

/// Whether a mark is full or only outlined.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    /// Full.
    Solid,
    /// Outlined, with the page inside.
    Hollow,
}

/// What a drawing step comes to.
pub type DrawResult = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// A canvas in pixels.
pub struct Pen<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
    notes: Vec<String>,
}

impl<'a> Pen<'a> {
    /// An empty canvas that writes its SVG to `out`.
    pub fn new(out: &'a mut String, size: (u32, u32)) -> Self {
        Self { area: SVGBackend::with_string(out, size).into_drawing_area(), notes: Vec::new() }
    }

    /// Ends the drawing; gives the notes of the noted circles in their order.
    pub fn finish(self) -> Result<Vec<String>, DrawingAreaErrorKind<std::io::Error>> {
        self.area.present()?;
        Ok(self.notes)
    }

    /// A line through points.
    pub fn line(&self, points: &[(i32, i32)], role: Role, width: u32) -> DrawResult {
        self.area.draw(&PathElement::new(points.to_vec(), stroke(role, width)))
    }

    /// A full rectangle between two corners.
    pub fn bar(&self, corners: [(i32, i32); 2], role: Role, opacity: f64) -> DrawResult {
        self.area.draw(&Rectangle::new(corners, role.color().mix(opacity).filled()))
    }

    /// A circle.
    pub fn dot(&self, centre: (i32, i32), radius: u32, role: Role, fill: Fill) -> DrawResult {
        if fill == Fill::Hollow {
            self.area.draw(&Circle::new(centre, radius, Role::Paper.color().filled()))?;
            return self.area.draw(&Circle::new(centre, radius, stroke(role, 2)));
        }
        self.area.draw(&Circle::new(centre, radius, role.color().filled()))
    }

    /// A phase value: a full circle that tells its note under the pointer.
    pub fn point(&mut self, centre: (i32, i32), note: String) -> DrawResult {
        self.notes.push(note);
        self.area.draw(&Circle::new(centre, 3, Role::Point.color().filled()))
    }

    /// A square for what passed, a hollow diamond for what did not: told apart without colour.
    pub fn judged(&self, (x, y): (i32, i32), passed: bool) -> DrawResult {
        if passed {
            return self.bar([(x - 5, y - 5), (x + 5, y + 5)], Role::Pass, 1.0);
        }
        let corners = [(x - 7, y), (x, y - 7), (x + 7, y), (x, y + 7)];
        self.area.draw(&Polygon::new(corners.to_vec(), Role::Paper.color().filled()))?;
        self.line(&[corners[0], corners[1], corners[2], corners[3], corners[0]], Role::Fail, 2)
    }

    /// A cross for what lies outside its band.
    pub fn cross(&self, (x, y): (i32, i32), role: Role) -> DrawResult {
        self.line(&[(x - 6, y - 6), (x + 6, y + 6)], role, 2)?;
        self.line(&[(x - 6, y + 6), (x + 6, y - 6)], role, 2)
    }

    /// A text of ordinary size.
    pub fn text(&self, text: &str, at: (i32, i32), side: Side, role: Role) -> DrawResult {
        self.write(text, at, side, role, FontStyle::Normal)
    }

    /// A text in bold.
    pub fn bold(&self, text: &str, at: (i32, i32), side: Side, role: Role) -> DrawResult {
        self.write(text, at, side, role, FontStyle::Bold)
    }

    fn write(&self, text: &str, at: (i32, i32), side: Side, role: Role, style: FontStyle) -> DrawResult {
        let h_pos = match side {
            Side::Left => HPos::Right,
            Side::Middle => HPos::Center,
            Side::Right => HPos::Left,
        };
        // The back-end divides the size by 1.24 again: this makes 13 units.
        let font = (FontFamily::SansSerif, 16.12, style).into_text_style(&self.area);
        let color = role.color();
        let font = font.color(&color).pos(Pos::new(h_pos, VPos::Center));
        self.area.draw(&Text::new(text.to_owned(), at, font))
    }
}

fn stroke(role: Role, width: u32) -> ShapeStyle {
    role.color().stroke_width(width)
}
