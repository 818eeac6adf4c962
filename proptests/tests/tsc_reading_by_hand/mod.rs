//! The independent reading of the time-stamp counter, followed by hand: runs at the ports, to be read with the documents open. They
//! say what the reading takes for right and what for wrong.

mod access;
mod ports;
mod registers;
mod time;
