//! No code: the package names the crate with the C source of SQLite.
