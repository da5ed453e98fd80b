//! A finished trial as one self-contained page, a plain table, a Markdown comment, JSON and single plots; comparisons and
//! sweeps in words.
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
//! | one plot each | `forest`, `lanes`, `strips`, `runs`, `cumulative`, `histogram`, `quarters` |
//! | plots as files of their own, with their keys | [`plots`], `standalone`, `keys` |
//! | tables behind the verdict | `evidence` |
//! | the trial for other programs | [`json`] |
//! | arms over the whole trial: rates and counters, what the draws moved | `arms`, `coverage` |
//! | the register as a list | [`register`] |
//! | what qualifies the verdict, and what stands against a component or locks the bundle | `qualified`, `reasons`, `split`, `losses` |
//! | what it would take to resolve it, and what leaving out together shows | `outlook`, `diagnostics` |
//! | a simulation of the rules: table, and power against effect | [`simulation`] |
//! | parts of a layout, and what a scheme leaves unscattered | `parts`, `scheme` |

pub mod aa;
mod arms;
mod axis;
mod chart;
mod columns;
pub mod compare;
mod coverage;
mod cumulative;
mod diagnostics;
mod evidence;
mod facts;
mod forest;
mod histogram;
pub mod json;
mod keys;
mod lanes;
mod losses;
mod markdown;
mod outlook;
mod page;
mod parts;
mod pen;
mod plots;
mod qualified;
mod quarters;
mod reasons;
pub mod register;
mod runs;
mod scheme;
pub mod simulation;
mod split;
mod standalone;
mod strips;
mod summary;
pub mod sweep;
mod table;
mod theme;
mod trial;
mod words;

pub use chart::escape;
pub use markdown::{MARKER, inline, markdown};
pub use page::html;
pub use plots::{Plot, plots};
pub use standalone::MARK;
pub use table::table;
pub use trial::{DrawTiming, ReportError, Rest, Timing, Trial};
