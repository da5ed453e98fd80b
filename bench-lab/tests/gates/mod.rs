//! Gates: what is asked, what comes of it, and how it is told.

mod file;
