//! Every field of the header's structs is the field of the same name in the book.

use crate::support::model::Model;
use crate::support::stimulus::Stimulus;
use lwp_model::lwp::flat::fields::FIELDS;
use lwp_model_c::api::{LwpConfig, LwpInputs};
use std::collections::BTreeSet;

/// A field, how to set it, and the word and bits that "The flat image" gives it.
type Place = (&'static str, fn(&mut LwpInputs, u64), usize, u32, u32);

macro_rules! places {
    ($(($($field:tt)+) $type:ty => $word:expr, $lsb:expr, $width:expr;)+) => {
        &[$((
            stringify!($($field)+),
            (|inputs, value| inputs.$($field)+ = value as $type) as fn(&mut LwpInputs, u64),
            $word,
            $lsb,
            $width,
        )),+]
    };
}

/// From the tables "Inputs" of the book, lanes 0 and 3.
const PLACES: &[Place] = places! {
    (smm) u8 => 0, 1, 1;
    (cpl) u8 => 0, 2, 2;
    (op_mode) u8 => 0, 4, 3;
    (partial) u8 => 0, 7, 1;
    (ctl_valid) u8 => 0, 8, 1;
    (ctl_op) u8 => 0, 9, 4;
    (mem_gnt) u8 => 0, 13, 1;
    (mem_rvalid) u8 => 0, 14, 1;
    (mem_err) u8 => 0, 15, 1;
    (pf_ack) u8 => 0, 16, 1;
    (irq_ack) u8 => 0, 17, 1;
    (replay_abort) u8 => 0, 18, 1;
    (alloc_valid) u8 => 0, 19, 1;
    (alloc_entry) u8 => 0, 20, 3;
    (fill_valid) u8 => 0, 23, 1;
    (fill_entry) u8 => 0, 24, 3;
    (fill_source) u8 => 0, 27, 3;
    (ctl_wdata) u64 => 1, 0, 64;
    (ctl_ds_base) u64 => 3, 0, 64;
    (mem_rdata) u64 => 5, 0, 64;
    (ctl_word) u8 => 7, 0, 4;
    (fill_ip) u64 => 8, 0, 64;
    (fill_latency) u32 => 10, 0, 31;
    (entropy) u32 => 11, 0, 32;
    (lanes[0].valid) u8 => 12, 0, 1;
    (lanes[0].counts) u8 => 12, 1, 1;
    (lanes[0].branch_kind) u8 => 12, 2, 4;
    (lanes[0].branch_taken) u8 => 12, 6, 1;
    (lanes[0].branch_pred_valid) u8 => 12, 7, 1;
    (lanes[0].branch_pred_ok) u8 => 12, 8, 1;
    (lanes[0].loads[0].miss) u8 => 12, 9, 1;
    (lanes[0].loads[0].addr_valid) u8 => 12, 10, 1;
    (lanes[0].loads[0].source) u8 => 12, 11, 3;
    (lanes[0].loads[1].miss) u8 => 12, 14, 1;
    (lanes[0].loads[1].addr_valid) u8 => 12, 15, 1;
    (lanes[0].loads[1].source) u8 => 12, 16, 3;
    (lanes[0].loads[0].tagged) u8 => 12, 19, 1;
    (lanes[0].loads[1].tagged) u8 => 12, 20, 1;
    (lanes[0].ip) u64 => 13, 0, 64;
    (lanes[0].branch_next) u64 => 15, 0, 64;
    (lanes[0].loads[0].addr) u64 => 17, 0, 64;
    (lanes[0].loads[0].latency) u32 => 19, 0, 31;
    (lanes[0].loads[1].addr) u64 => 20, 0, 64;
    (lanes[0].loads[1].latency) u32 => 22, 0, 31;
    (lanes[3].valid) u8 => 12 + 33, 0, 1;
    (lanes[3].ip) u64 => 13 + 33, 0, 64;
    (lanes[3].loads[1].latency) u32 => 22 + 33, 0, 31;
};

/// Each bit of each field, alone, comes out in its place and nowhere else.
#[test]
fn every_input_is_in_its_place() {
    let model = Model::new(&LwpConfig::default()).unwrap();
    let nothing = model.pack(&LwpInputs { op_mode: 0, ..LwpInputs::default() }).unwrap();
    assert_eq!(nothing, [&[1][..], &[0; in_words_4() - 1]].concat(), "rst_n alone");
    for &(name, set, word, lsb, width) in PLACES {
        for bit in 0..width {
            let mut inputs = LwpInputs::default();
            set(&mut inputs, 1 << bit);
            let mut wanted = nothing.clone();
            wanted[word + (lsb + bit) as usize / 32] |= 1 << ((lsb + bit) % 32);
            assert_eq!(model.pack(&inputs).unwrap(), wanted, "{name}, bit {bit}");
        }
        // One bit more than the port has is refused, where the struct has room for it.
        if ![8, 32, 64].contains(&width) {
            let mut inputs = LwpInputs::default();
            set(&mut inputs, 1 << width);
            assert!(model.pack(&inputs).unwrap_err().contains(name), "{name}");
        }
    }
}

const fn in_words_4() -> usize {
    lwp_model::lwp::flat::in_words(4)
}

// Miri takes a thousand times as long and looks at every access.
const CYCLES: usize = if cfg!(miri) { 10 } else { 20_000 };

macro_rules! named {
    ($outputs:ident: $($field:ident),+) => { [$((stringify!($field), u64::from($outputs.$field))),+] };
}

/// A run in which the outputs move: each shows the value that the row gives its name.
#[test]
fn every_output_is_in_its_place() {
    let mut never: BTreeSet<&str> = BTreeSet::new();
    // Straps under which the outputs that others leave at 0 move.
    for (seed, config) in [
        LwpConfig { leave_policy: 1, address_policy: 1, ..LwpConfig::default() },
        LwpConfig { store_timing: 1, fault_policy: 1, address_policy: 2, ..LwpConfig::default() },
    ]
    .iter()
    .enumerate()
    {
        let mut model = Model::new(config).unwrap();
        let mut stimulus = Stimulus::new(4, 8, seed as u64 + 1);
        let mut moved = BTreeSet::new();
        let mut all = BTreeSet::new();
        for cycle in 0..CYCLES {
            let (outputs, row) = (model.outputs(), model.probe());
            let named = named!(outputs: stall, cut_valid, cut_lane, drain, flush_req, addr_track, rsp_valid, rsp_fault,
                rsp_fault_write, mem_req, mem_cmd, mem_be, pf_valid, pf_write, pf_abort, irq, msr0, rsp_rdata,
                rsp_fault_addr, mem_addr, mem_wdata, pf_addr);
            for (name, value) in named {
                let field = FIELDS.iter().find(|field| field.name == name).unwrap();
                assert_eq!(value, field.of(&row), "{name} in cycle {cycle}");
                all.insert(name);
                if value != 0 {
                    moved.insert(name);
                }
            }
            assert_eq!(outputs.reserved, 0);
            model.step(&stimulus.inputs(&outputs)).unwrap();
        }
        let still: BTreeSet<&str> = all.difference(&moved).copied().collect();
        never = if seed == 0 { still } else { never.intersection(&still).copied().collect() };
    }
    assert!(cfg!(miri) || never.is_empty(), "{never:?} were 0 throughout: the stimulus is at fault");
}

/// Each strap bit of the default, and of another legal set, is where the book says, under its name.
#[test]
fn every_strap_is_in_its_place() {
    macro_rules! straps {
        ($($field:ident = $value:literal => $word:literal, $lsb:literal;)+) => {
            [$((stringify!($field), LwpConfig { $field: $value, ..LwpConfig::default() }, $word, $lsb, $value as u32)),+]
        };
    }
    let base = Model::new(&LwpConfig::default()).unwrap().straps();
    assert_eq!(base, [0x2002_00FF, 1, 0x20]);
    for (name, config, word, lsb, value) in straps! {
        present = 0 => 0, 0; avail_ire = 0 => 0, 1; avail_bre = 0 => 0, 2; avail_dme = 0 => 0, 3; avail_int = 0 => 0, 4;
        latency_filter = 0 => 0, 5; level_filter = 0 => 0, 6; data_source = 0 => 0, 7; core_id = 0xA5 => 0, 8;
        gather_policy = 1 => 0, 16; gather_select = 2 => 0, 18; gather_target = 1 => 0, 20; store_timing = 1 => 0, 21;
        collision = 1 => 0, 22; leave_policy = 2 => 0, 23; fault_policy = 3 => 0, 25; address_policy = 3 => 0, 27;
        address_gate = 0 => 0, 29; latency_source = 1 => 0, 30; latency_step = 1 => 0, 31; lfsr_seed = 0xFFFF_FFFF => 1, 0;
        prediction = 2 => 2, 1; head_flush = 1 => 2, 3; tail_reread = 1 => 2, 4; interval_source = 1 => 2, 9;
        missed_mode = 1 => 2, 10; write_on_full = 1 => 2, 11; misaligned = 1 => 2, 12; flush_outside = 1 => 2, 13;
        v86 = 1 => 2, 14; entropy = 1 => 2, 15; irq_delay = 0x5A => 2, 16;
    } {
        let straps = Model::new(&config).unwrap().straps();
        let mut differing = base;
        // The default of each of these fields is 0 or all ones in its width.
        let before = if value == 0 { 1 } else { 0 };
        differing[word] = match name {
            "lfsr_seed" => value,
            _ => base[word] & !(before << lsb) | value << lsb,
        };
        assert_eq!(straps, differing, "{name}");
    }
    // The four that are legal only beside others.
    let pairs =
        LwpConfig { gather_policy: 1, one_per_instr: 0, latency_step: 1, latency_phase: 1, ..LwpConfig::default() };
    assert_eq!(Model::new(&pairs).unwrap().straps(), [base[0] & !(1 << 17) | 1 << 16 | 1 << 31, 1, 0x21]);
    let lazy = LwpConfig { tail_reread: 1, tail_nth: 15, ..LwpConfig::default() };
    assert_eq!(Model::new(&lazy).unwrap().straps(), [base[0], 1, 0x1F0]);
}

/// What the C caller's constants and this file call by number.
#[test]
fn straps_in_words_are_straps_in_fields() {
    let config = LwpConfig { gather_policy: 1, core_id: 9, leave_policy: 2, ..LwpConfig::default() };
    let fields = Model::new(&config).unwrap();
    let words = Model::from_words(fields.straps(), [4, 8, 31]).unwrap();
    assert_eq!(words.straps(), fields.straps());
    assert!(Model::from_words([0, 1, 0x20], [4, 8, 31]).err().unwrap().contains("at least one filter"));
    let mut off = Model::new(&config).unwrap();
    off.reset();
    assert_eq!(off.probe(), fields.probe());
}
