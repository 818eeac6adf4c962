//! Stage store: one record through the debug store.
