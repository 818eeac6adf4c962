//! Stage stack: the LBR stack, and the last exception record.
