//! The external interrupt: the timer, by way of the interrupt controller. It fires once, when it is told to.

use crate::list::INTERRUPT;
use crate::port;

const MASTER: u16 = 0x20;
const SLAVE: u16 = 0xA0;
const TIMER: u16 = 0x40;

/// Moves the vectors of the controllers from 32 on, and masks all lines but that of the timer.
pub(crate) fn install() {
    for (controller, vector, cascade) in [(MASTER, INTERRUPT, 4), (SLAVE, INTERRUPT + 8, 2)] {
        port::write(controller, 0x11); // edge triggered, cascaded, four words
        for word in [vector, cascade, 1] {
            port::write(controller + 1, word);
        }
    }
    port::write(SLAVE + 1, 0xFF);
    quiet();
}

/// Masks the timer.
pub(crate) fn quiet() {
    port::write(MASTER + 1, 0xFF);
}

/// Lets the timer fire, and returns when its interrupt is pending.
pub(crate) fn request() {
    port::write(TIMER + 3, 0x30); // counter 0, both bytes, mode 0: the output goes to 1 once, at the end
    port::write(TIMER, 10);
    port::write(TIMER, 0);
    port::write(MASTER + 1, !1);
    port::write(MASTER, 0x0A); // reads give the requests
    while port::read(MASTER) & 1 == 0 {}
}

/// Ends the interrupt in service. The timer does not fire again.
pub(crate) fn acknowledge() {
    port::write(MASTER, 0x20);
    quiet();
}

/// Takes back a request that was not serviced: the controller forgets it when it is initialised.
pub(crate) fn withdraw() {
    install();
}
