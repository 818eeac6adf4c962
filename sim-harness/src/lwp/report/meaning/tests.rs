use super::*;
use lwp_model::lwp::{Block, Record, Session};

fn state() -> State {
    let session = Session { lwpcb: 0x5000, ..Session::default() };
    let block = Block { base: 0x9000, size: 256, ..Block::default() };
    let mut state = State { session, block, ..State::default() };
    state.records[1] = Record { event: 2, flags: 0b1010, ..Record::default() };
    state
}

#[test]
fn values_read_as_the_registers_have_them() {
    let cases = [
        ("state.flags", 0x8000_0007, "EN IRE BRE INT"),
        ("state.flags", 0x11, "EN reserved bits 0x10"),
        ("msr0", 0, "nothing set"),
        ("state.filter", 0x0102, "MIN_LATENCY 2 CLF (from 32 cycles on)"),
        ("state.store_st", 7, "reset"),
        ("state.store_st", 15, "code 15, which means nothing"),
        ("state.ctl_op", 5, "WRMSR LWPMSR1"),
        ("rsp_fault", 2, "#GP(0)"),
        ("mem_cmd", 3, "code 3, which means nothing"),
        ("mem_be", 0xF0, "bytes 4 5 6 7"),
        ("mem_addr", 0x5010, "LWPCB + 16: head, tail"),
        ("mem_addr", 0x5030, "LWPCB + 48: slot 1"),
        ("mem_addr", 0x9048, "ring, record 2 beat 1"),
        ("state.head", 0x40, "record 2 of 8"),
        ("state.tail", 0x101, "record 8 of 8, which is not the beginning of one, outside the ring"),
        ("state.events[1].counter", 100, "branches retired: 100 to go"),
        ("state.undo[2]", 0, "DCache misses: expired"),
        ("state.events[0].slot", 5, "instructions retired: slot 5, offset 80"),
        ("state.records[1].event", 3, "DCache misses"),
        ("state.records[1].flags", 0b1010, "branch taken, mispredicted"),
        ("state.records[1].flags", 0b0110, "branch not taken, predicted"),
        ("state.tag_source", 5, "reserved source 5"),
    ];
    for (field, value, expected) in cases {
        assert_eq!(meaning(field, value, &state()).as_deref(), Some(expected), "{field} = {value:#x}");
    }
    let mut saving = state();
    (saving.ctl.op, saving.ctl.idx) = (lwp_model::lwp::CtlOp::Save, 3);
    for (number, value, expected) in [
        (1, 0x0005_0003_0000_0040, "head 0x40, session 1, pending 1, missed 5"),
        (2, 0x0000_0007_0000_0006, "instructions retired counter 6, branches retired counter 7"),
        (3, 0x0000_0021_0000_0006, "DCache misses counter 6, tail_skip 1, rotate 2"),
        (8, 0x0000_0501_0000_0003, "msr0 ENABLED IRE, irq 1, irq_count 5"),
    ] {
        saving.ctl.idx = number;
        assert_eq!(meaning("state.ctl_rdata", value, &saving).as_deref(), Some(expected), "word {number}");
    }
    for plain in ["state.lfsr", "stall", "state.mab[0].latency", "(unnamed bits)", "mem_addr"] {
        assert_eq!(meaning(plain, 0x1234, &state()), None, "{plain}");
    }
}
