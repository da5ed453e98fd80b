//! Memory layouts: capture a link, draw a layout, relink, read back what moved.
