//! MOV to and from the debug registers, by the tables of the page `docs/src/debug/registers.md`.

use super::bench::Bench;
use lwp_model::debug::{Ask, Config, DbClass, Inputs};
use lwp_model::retire::{IntKind, OpMode, RegOp, RegRequest, RegResult};

// DBG-10, DBG-17: DR6 and DR7 after reset, and their fixed bits
#[test]
fn after_reset_and_fixed_bits() {
    let mut bench = Bench::new(Config::default());
    assert_eq!((bench.read(6), bench.read(7)), (0xFFFF_0FF0, 0x400));
    bench.write(6, 0);
    bench.write(7, 0xFFFF_DFFF);
    assert_eq!((bench.read(6), bench.read(7)), (0xFFFE_0FF0, 0xFFFF_0FFF));
    let mut without = Bench::new(Config { rtm: false, ..Config::default() });
    without.write(6, 0);
    without.write(7, 0xFFFF_DFFF);
    assert_eq!((without.read(6), without.read(7)), (0xFFFF_0FF0, 0xFFFF_07FF));
}

// DBG-05: levels and modes; virtual-8086 mode in SMM is level 0
#[test]
fn who_may_access() {
    let mut bench = Bench::new(Config::default());
    for (op_mode, cpl, smm, may) in [
        (OpMode::Long64, 0, false, true),
        (OpMode::Long64, 1, false, false),
        (OpMode::Protected, 3, false, false),
        (OpMode::Real, 3, false, true),
        (OpMode::Virtual8086, 0, false, false),
        (OpMode::Virtual8086, 3, true, true),
        (OpMode::Long64, 3, true, true),
    ] {
        (bench.stays.mode.op_mode, bench.stays.mode.cpl, bench.stays.mode.smm) = (op_mode, cpl, smm);
        let expected = if may { Ok(0) } else { Err(RegResult::GeneralProtection) };
        assert_eq!(bench.mov(RegOp::ReadDr, 0, 0), expected, "{op_mode:?} {cpl} {smm}");
    }
}

// DBG-09: DR4 and DR5 are aliases without CR4.DE and #UD with it
#[test]
fn dr4_and_dr5() {
    let mut bench = Bench::new(Config::default());
    assert_eq!(bench.mov(RegOp::ReadDr, 4, 0), Err(RegResult::InvalidOpcode));
    bench.stays.de = false;
    bench.write(5, 0x403);
    assert_eq!((bench.read(7), bench.read(4)), (0x403, 0xFFFF_0FF0));
}

// DBG-07, DEB-17: 32 bits outside 64-bit mode; bits 63:32 of DR6 and DR7 are #GP in it
#[test]
fn widths() {
    let mut bench = Bench::new(Config::default());
    bench.write(0, 0xFFFF_8000_1234_5678);
    assert_eq!(bench.mov(RegOp::WriteDr, 7, 1 << 32), Err(RegResult::GeneralProtection));
    bench.stays.mode.op_mode = OpMode::Compatibility;
    assert_eq!(bench.read(0), 0x1234_5678);
    bench.write(7, 1 << 32 | 3);
    bench.write(1, 0xFFFF_8000_1234_5678);
    bench.stays.mode.op_mode = OpMode::Long64;
    assert_eq!([bench.read(0), bench.read(1), bench.read(7)], [0xFFFF_8000_1234_5678, 0x1234_5678, 0x403]);
}

// DBG-24, DBG-25, DBG-62, DEB-16: any MOV is #DB, which sets BD and clears GD when it is taken
#[test]
fn general_detect() {
    for (op, number) in [(RegOp::ReadDr, 0), (RegOp::WriteDr, 3), (RegOp::ReadDr, 6), (RegOp::WriteDr, 7)] {
        let mut bench = Bench::new(Config::default());
        bench.write(7, 0x2000);
        assert_eq!(bench.mov(op, number, 0x55), Err(RegResult::Debug));
        let out = bench.out();
        assert_eq!((out.db_valid, out.db_class, out.db_bd), (true, DbClass::Fault, true));
        assert!(!out.reg_ready && bench.unit.state().registers.dr7.gd && bench.dr6() == 0xFFFF_0FF0);
        let frame = bench.deliver(0x500);
        assert_eq!((frame.frame_valid, frame.frame_rf, bench.dr6()), (true, true, 0xFFFF_2FF0));
        assert_eq!((bench.read(7), bench.read(3)), (0x400, 0));
    }
    // At level 3 it is #GP, and nothing is pending.
    let mut bench = Bench::new(Config::default());
    bench.write(7, 0x2000);
    bench.stays.mode.cpl = 3;
    assert_eq!(bench.mov(RegOp::ReadDr, 0, 0), Err(RegResult::GeneralProtection));
    assert!(!bench.out().db_valid);
}

// DBG-05, DBG-09, DEB-16: DR4 and DR5 with CR4.DE are #UD at level 0, before general detect, and #GP at every other level
#[test]
fn the_level_comes_before_the_number() {
    for number in [4, 5] {
        let mut bench = Bench::new(Config::default());
        bench.write(7, 0x2000);
        bench.stays.de = true;
        for op in [RegOp::ReadDr, RegOp::WriteDr] {
            bench.stays.mode.cpl = 0;
            assert_eq!(bench.mov(op, number, 0), Err(RegResult::InvalidOpcode));
            bench.stays.mode.cpl = 3;
            assert_eq!(bench.mov(op, number, 0), Err(RegResult::GeneralProtection));
        }
        assert!(!bench.out().db_valid);
    }
}

// DEB-04: SMI keeps DR6 and DR7 and clears DR7, RSM restores them
#[test]
fn smm() {
    let mut bench = Bench::new(Config::default());
    bench.write(7, 0x403);
    bench.write(6, 0xFFFF_4FF1);
    bench.interrupt(IntKind::Smi);
    assert_eq!((bench.read(6), bench.read(7)), (0xFFFF_4FF1, 0x400));
    bench.write(6, 0xFFFF_0FF0);
    bench.interrupt(IntKind::Rsm);
    assert_eq!((bench.read(6), bench.read(7)), (0xFFFF_4FF1, 0x403));
}

#[test]
fn other_operations_are_not_mine() {
    let mut bench = Bench::new(Config::default());
    for op in [RegOp::Rdmsr, RegOp::Wrmsr, RegOp::Rdtsc, RegOp::Rdpmc, RegOp::Unused7] {
        assert_eq!(bench.mov(op, 7, 0xFF), Err(RegResult::NotMine));
    }
    assert_eq!(bench.read(7), 0x400);
}

// DBG-80, DBG-81: general detect in a region aborts it, or goes back to XBEGIN
#[test]
fn general_detect_in_a_region() {
    for (rtm, advanced, class) in
        [(true, false, DbClass::Abort), (true, true, DbClass::Rollback), (false, true, DbClass::Fault)]
    {
        let mut bench = Bench::new(Config { rtm, ..Config::default() });
        bench.stays.rtm_debug = advanced;
        bench.write(7, 0x2C00);
        let ask = Ask { in_tx: true, ..Ask::default() };
        let reg = RegRequest { valid: true, op: RegOp::WriteDr, lp: 0, number: 0, wdata: 0x1000 };
        let out = bench.cycle(Inputs { ask, reg, ..Inputs::default() });
        assert_eq!((out.reg_result, out.db_valid, out.db_class, out.db_bd), (RegResult::Debug, true, class, true));
        if class == DbClass::Abort {
            bench.cycle(Inputs { db_ack: true, ..Inputs::default() });
            // Neither BD, nor the end of GD.
            assert_eq!((bench.dr6(), bench.mov(RegOp::ReadDr, 0, 0)), (0xFFFF_0FF0, Err(RegResult::Debug)));
        } else {
            assert!(bench.deliver(0x100).frame_rf, "XBEGIN, or the MOV, is executed again");
            let in_tx = u64::from(class == DbClass::Rollback) << 16;
            assert_eq!((bench.dr6(), bench.read(0)), (0xFFFF_2FF0 ^ in_tx, 0));
        }
    }
}
