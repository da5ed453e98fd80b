//! Reports on trials that were never run: page, table and Markdown.

mod compare;
mod contrast;
mod document;
mod json;
mod layout;
mod losses;
mod page;
mod plots;
mod sample;
mod simulation;
mod sweep;
mod text;
mod verdicts;
