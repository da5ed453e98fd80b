//! A gate's report for people and for machines: pure text, written by whoever asked.

pub mod annotations;
pub mod badge;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod table;
pub mod values;
pub mod words;
