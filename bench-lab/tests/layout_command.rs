//! The layout commands through the command line: capture, draw, show, sweep; and what goes wrong.

mod layout;
