//! A finished trial as one self-contained page, a plain table and a Markdown comment; comparisons and sweeps in words.
//!
//! Everything here is a pure function of the [`Trial`]: same trial, same bytes. The page
//! needs no script, no font and no file from elsewhere; its plots are inline SVG whose
//! colours are CSS variables, so that they follow the reader's light or dark scheme.
//!
//! | step | where |
//! |---|---|
//! | parts of one trial, checked | `trial` |
//! | first screen, and the sentence that all three reports share | `summary`, `facts` |
//! | plots: colours by role, marks, axes, captions | `theme`, `pen`, `axis`, `chart` |
//! | one plot each | `forest`, `strips`, `runs`, `cumulative`, `histogram` |
//! | tables behind the verdict | `evidence` |
//! | the register as a list | [`register`] |
//! | what qualifies the verdict, and what stands against a component or locks the bundle | `qualified`, `reasons`, `split`, `losses` |
//! | what it would take to resolve it, and what leaving out together shows | `outlook`, `diagnostics` |
//! | a simulation of the rules: table, and power against effect | [`simulation`] |
//! | parts of a layout, and what a scheme leaves unscattered | `parts`, `scheme` |

pub mod aa;
mod axis;
mod chart;
mod columns;
pub mod compare;
mod cumulative;
mod diagnostics;
mod evidence;
mod facts;
mod forest;
mod histogram;
mod losses;
mod markdown;
mod outlook;
mod page;
mod parts;
mod pen;
mod qualified;
mod reasons;
pub mod register;
mod runs;
mod scheme;
pub mod simulation;
mod split;
mod strips;
mod summary;
pub mod sweep;
mod table;
mod theme;
mod trial;
mod words;

pub use markdown::markdown;
pub use page::html;
pub use table::table;
pub use trial::{DrawTiming, ReportError, Rest, Timing, Trial};
