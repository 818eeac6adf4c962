//! Stage pebs: counters whose next event stores a record.
