//! Instruction words, as `riscv64-unknown-elf-objdump` prints them.

use ibex::instruction::{DataAccess, Kind, data_access, kind, length};

#[test]
fn words_have_the_kind_of_their_instruction() {
    let words = [
        (0x0000_0297, Kind::Other, "auipc t0,0"),
        (0x0005_2503, Kind::Load, "lw a0,0(a0)"),
        (0x0005_4503, Kind::Load, "lbu a0,0(a0)"),
        (0x0015_9503, Kind::Load, "lh a0,1(a1)"),
        (0x00A5_2023, Kind::Other, "sw a0,0(a0)"),
        (0x00B5_0463, Kind::Conditional, "beq a0,a1,8"),
        (0x0080_00EF, Kind::Unconditional, "jal ra,8"),
        (0x0000_8067, Kind::Unconditional, "ret, 32 bits"),
        (0x3020_0073, Kind::Other, "mret"),
        (0x0000_0073, Kind::Other, "ecall"),
        (0x02B5_0533, Kind::Other, "mul a0,a0,a1"),
        (0x4108, Kind::Load, "c.lw a0,0(a0)"),
        (0x4502, Kind::Load, "c.lwsp a0,0(sp)"),
        (0xC108, Kind::Other, "c.sw a0,0(a0)"),
        (0xC02A, Kind::Other, "c.swsp a0,0(sp)"),
        (0xA001, Kind::Unconditional, "c.j 0"),
        (0x2001, Kind::Unconditional, "c.jal 0"),
        (0x8082, Kind::Unconditional, "c.jr ra"),
        (0x9502, Kind::Unconditional, "c.jalr a0"),
        (0xC101, Kind::Conditional, "c.beqz a0,0"),
        (0xE101, Kind::Conditional, "c.bnez a0,0"),
        (0x852E, Kind::Other, "c.mv a0,a1"),
        (0x952E, Kind::Other, "c.add a0,a1"),
        (0x9002, Kind::Other, "c.ebreak"),
        (0x0001, Kind::Other, "c.nop"),
        (0x8905, Kind::Other, "c.andi a0,1"),
    ];
    for (word, expected, text) in words {
        assert_eq!(kind(word), expected, "{text}");
        assert_eq!(length(word), if text.starts_with("c.") { 2 } else { 4 }, "{text}");
    }
}

#[test]
fn words_access_what_their_instruction_does() {
    let words = [
        (0x0005_2503, Some((false, 4)), "lw a0,0(a0)"),
        (0x0005_4503, Some((false, 1)), "lbu a0,0(a0)"),
        (0x0015_9503, Some((false, 2)), "lh a0,1(a1)"),
        (0x00A5_0023, Some((true, 1)), "sb a0,0(a0)"),
        (0x00A5_1023, Some((true, 2)), "sh a0,0(a0)"),
        (0x00A5_2023, Some((true, 4)), "sw a0,0(a0)"),
        (0x4108, Some((false, 4)), "c.lw a0,0(a0)"),
        (0x4502, Some((false, 4)), "c.lwsp a0,0(sp)"),
        (0xC108, Some((true, 4)), "c.sw a0,0(a0)"),
        (0xC02A, Some((true, 4)), "c.swsp a0,0(sp)"),
        (0x0000_0013, None, "nop"),
        (0x852E, None, "c.mv a0,a1"),
        (0xE101, None, "c.bnez a0,0"),
        (0x0000_8067, None, "ret"),
    ];
    for (word, expected, text) in words {
        assert_eq!(data_access(word), expected.map(|(stores, bytes)| DataAccess { stores, bytes }), "{text}");
    }
}
