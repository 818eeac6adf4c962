//! Nothing: this package exists for its dependencies' features (see its `Cargo.toml`).
