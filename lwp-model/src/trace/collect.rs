//! Stage collect: the transfers of a cycle, in program order.
