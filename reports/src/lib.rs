//! A finished trial as one self-contained page.
