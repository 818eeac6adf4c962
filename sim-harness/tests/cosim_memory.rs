//! Runs whose memory is predicted by hand: with 500 cycles between instructions each record is in memory before the next
//! instruction retires, so the bytes follow from the contract alone.

use crate::cosim_bench::{Bench, hex, plain, predictable};

/// Eight records at 0x10000000, the block at 0x7fff0000, one event.
fn session(event: u32, interval: u32, more: &str) -> String {
    format!("[lwpcb]\nbuffer_size = 256\n{more}\n[[lwpcb.event]]\nid = {event}\ninterval = {interval}\n")
}

/// A record of the instructions-retired event: byte 0 is 1, the address at bytes 8 to 15, the rest zero.
fn instruction(ip: u64) -> Vec<u8> {
    let ip: String = ip.to_le_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    hex(&format!("0100000000000000 {ip} 0000000000000000 0000000000000000"))
}

#[test]
fn block_and_buffer_after_every_third_instruction() {
    // Twelve instructions at 0x401000, 0x401004, ...; the third, sixth, ninth and twelfth bring the counter to zero.
    let done = predictable(&plain(12), &session(1, 3, ""));
    let block = hex("03000080 00010000 \
         00000010 00000000 \
         80000000 00000000 \
         00000000 00000000 \
         00000000 00000000 \
         03000004 03000000");
    // Flags: EN (bit 0), IRE (bit 1), INT (bit 31).      BufferSize 256, Random 0.
    // BufferBase 0x10000000.
    // BufferHeadOffset 4 * 32 = 0x80.                    BufferTailOffset 0: nobody drains.
    // MissedEvents 0.
    // Threshold 0, no filters.
    // Slot 0: interval 3, EventId 1 in bits 31:26.       Its counter: reloaded with 3 after the last record.
    assert_eq!(done.lwpcb[..48], block);
    assert_eq!(done.lwpcb[48..], [0; 7 * 8], "seven more slots, none used");
    let ips = [0x40_1008, 0x40_1014, 0x40_1020, 0x40_102c];
    assert_eq!(done.buffer[..128], ips.map(instruction).concat());
    assert_eq!(done.buffer[128..], [0; 128]);
    assert_eq!(done.column("ip"), ips);
    assert_eq!(done.column("seq"), [0, 1, 2, 3]);
    assert_eq!((done.number("records/total"), done.number("records/instructions_retired")), (4, 4));
    assert_eq!((done.number("instructions"), done.number("missed"), done.number("interrupts")), (12, 0, 0));
}

#[test]
fn a_counter_on_the_way_is_flushed() {
    // Starting at 5: the fifth instruction, then every third: 8, 11. Twelve leaves one of three counted.
    let done = predictable(&plain(12), &session(1, 3, "").replace("interval = 3", "interval = 3\ncounter = 5"));
    assert_eq!(done.column("ip"), [0x40_1010, 0x40_101c, 0x40_1028]);
    assert_eq!(done.lwpcb[44..48], hex("02000000"));
}

#[test]
fn a_full_ring_overwrites_the_slot_at_head_and_counts() {
    // Three places hold two records. Each of five instructions expires: two are stored, three are missed, and the place at
    // head, which nobody reads, has the last of them.
    let done = predictable(&plain(5), &session(1, 1, "").replace("256", "96"));
    assert_eq!(done.lwpcb[16..32], hex("40000000 00000000 0300000000000000"), "head 64, tail 0, MissedEvents 3");
    assert_eq!(done.buffer, [0x40_1000, 0x40_1004, 0x40_1010].map(instruction).concat());
    assert_eq!(done.column("ip"), [0x40_1000, 0x40_1004], "what was missed is no record");
    assert_eq!((done.number("missed"), done.number("records/total")), (3, 2));
}

#[test]
fn the_ring_goes_around_its_end() {
    // Four places, head and tail at the last one: three records fit, at 96, 0 and 32; head ends at 64.
    let more = "head = 96\ntail = 96";
    let done = predictable(&plain(3), &session(1, 1, more).replace("256", "128"));
    assert_eq!(done.lwpcb[16..24], hex("40000000 60000000"));
    let expected = [instruction(0x40_1004), instruction(0x40_1008), vec![0; 32], instruction(0x40_1000)].concat();
    assert_eq!(done.buffer, expected);
    assert_eq!(done.column("ip"), [0x40_1000, 0x40_1004, 0x40_1008], "oldest first");
}

#[test]
fn the_interrupt_handler_drains_at_the_threshold() {
    // Threshold 96 = three records: interrupts after the third and the sixth; the seventh stays in the ring.
    let text = session(1, 1, "threshold = 96") + "[consumer]\nmode = \"interrupt\"\n";
    let done = predictable(&plain(7), &text);
    assert_eq!(done.number("interrupts"), 2);
    // Head 7 * 32 = 0xe0, tail 6 * 32 = 0xc0.
    assert_eq!(done.lwpcb[16..24], hex("e0000000 c0000000"));
    let ips: Vec<u64> = (0..7).map(|index| 0x40_1000 + 4 * index).collect();
    assert_eq!(done.column("ip"), ips, "drained ones first, then what is left, none twice");
    // Nobody drains: used space equals the threshold once only.
    assert_eq!(predictable(&plain(7), &session(1, 1, "threshold = 96")).number("interrupts"), 1);
    // Interrupts not enabled: never, and INT is not reported in Flags.
    let done = predictable(&plain(7), &(text + "[msr0]\ninterrupt = false\n"));
    assert_eq!((done.number("interrupts"), &done.lwpcb[..4]), (0, &hex("03000000")[..]));
}

#[test]
fn the_last_record_may_still_interrupt() {
    // The third and last instruction reaches the threshold: its record is stored after the end of the trace, and the handler
    // drains before SLWPCB.
    let text = session(1, 1, "threshold = 96") + "[consumer]\nmode = \"interrupt\"\n";
    let done = predictable(&plain(3), &text);
    assert_eq!(done.number("interrupts"), 1);
    assert_eq!(done.lwpcb[16..24], hex("60000000 60000000"));
}

#[test]
fn a_periodic_consumer_drains_without_interrupts() {
    let done = predictable(&plain(20), &(session(1, 1, "") + "[consumer]\nmode = \"periodic\"\nperiod = 700\n"));
    assert_eq!((done.number("missed"), done.number("interrupts"), done.number("records/total")), (0, 0, 20));
    assert_eq!(done.column("seq"), (0..20).collect::<Vec<u64>>());
    assert_eq!(done.number("missed"), 0);
}

#[test]
fn four_lanes_give_what_one_gives_if_the_last_of_a_group_expires() {
    let bench = Bench::new(&plain(12), &session(1, 4, ""));
    let one = bench.run_engines(&["--cpi", "500"]);
    let four = bench.run_engines(&["--cpi", "500", "--retire-lanes", "4"]);
    assert_eq!(one.column("ip"), [0x40_100c, 0x40_101c, 0x40_102c]);
    assert_eq!((one.lwpcb, one.buffer), (four.lwpcb, four.buffer));
    assert!(four.json["cycles"].as_u64() < one.json["cycles"].as_u64());
}

#[test]
fn random_low_bits_follow_the_lfsr() {
    // One step of the LFSR is x := (x >> 1) ^ (x[0] ? 0x80200003 : 0), an advance is sixteen; the reload takes four bits.
    let advance = |seed: u32| (0..16).fold(seed, |x, _| (x >> 1) ^ if x & 1 == 1 { 0x8020_0003 } else { 0 });
    let done = predictable(&plain(16), &session(1, 16, "random = 4"));
    let expected = 16 | advance(1) & 15;
    assert_eq!(done.lwpcb[44..48], expected.to_le_bytes());
}
