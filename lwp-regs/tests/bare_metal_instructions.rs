//! The privileged instructions of `bare_metal`, without privilege: a child executes them step by step, and each is carried
//! out in its stead, so that opcode and operands show.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod watched {
    use crate::tracee::{Registers, Tracee};
    use lwp_regs::access::{CounterBus, DebugBus, DebugRegister, LwpInstructions, MsrBus};
    use lwp_regs::bare_metal::{BareMetal, ShippedLwpInstructions};

    /// What was executed; reads name what they were given.
    #[derive(Debug, PartialEq, Eq)]
    pub(crate) enum Executed {
        Rdmsr(u32, u64),
        Wrmsr(u32, u64),
        Rdpmc(u32, u64),
        FromDebug(u8, u64),
        ToDebug(u8, u64),
        Llwpcb(u64),
        Slwpcb(u64),
    }

    /// Every instruction, each read followed by a write that tells what came out of it.
    fn program() {
        // SAFETY: whoever traces this carries the instructions out.
        let mut cpu = unsafe { BareMetal::new() };
        // SAFETY: as above.
        let Ok(value) = unsafe { cpu.rdmsr(0x1D9) };
        // SAFETY: as above.
        let Ok(()) = unsafe { cpu.wrmsr(0xC000_0103, value + 1) };

        let Ok(value) = cpu.rdpmc(0x4000_0001);
        // SAFETY: as above.
        let Ok(()) = unsafe { cpu.wrmsr(0xC1, value + 1) };

        use DebugRegister::{Dr0, Dr1, Dr2, Dr3, Dr4, Dr5, Dr6, Dr7};
        for register in [Dr0, Dr1, Dr2, Dr3, Dr4, Dr5, Dr6, Dr7] {
            let Ok(value) = cpu.read_dr(register);
            // SAFETY: as above.
            let Ok(()) = unsafe { cpu.write_dr(register, value + 1) };
        }

        // SAFETY: whoever traces this carries the instructions out, and writes no memory.
        let mut lwp = unsafe { ShippedLwpInstructions::new() };
        // SAFETY: as above.
        let Ok(old) = unsafe { lwp.llwpcb(0x1234_5678_9ABC_DEF0) };
        // SAFETY: as above.
        let Ok(now) = unsafe { lwp.slwpcb() };
        // SAFETY: as above.
        let Ok(()) = unsafe { cpu.wrmsr(1, old + 1) };
        // SAFETY: as above.
        let Ok(()) = unsafe { cpu.wrmsr(2, now + 1) };
    }

    /// Steps through [`program`] and hands out `1111_1111_0000_0000`, `2222_2222_0000_0000` and so on for what it reads.
    pub(crate) fn trace() -> Vec<Executed> {
        let child = Tracee::new(program);
        let mut trace = Vec::new();
        let mut reads = 0;
        loop {
            let mut registers = child.registers();
            let next = 0x1111_1111_0000_0000 * (reads + 1);
            let code = child.memory(registers.rip);
            if let Some((length, executed)) = carry_out(&mut registers, code, next) {
                use Executed::{FromDebug, Rdmsr, Rdpmc, Slwpcb};
                reads += u64::from(matches!(executed, FromDebug(..) | Rdmsr(..) | Rdpmc(..) | Slwpcb(..)));
                trace.push(executed);
                registers.rip += length;
                child.set_registers(registers);
            } else if child.step().is_none() {
                return trace;
            }
        }
    }

    /// Does what one of the instructions does, if the bytes are one.
    fn carry_out(registers: &mut Registers, code: [u8; 8], next: u64) -> Option<(u64, Executed)> {
        let ecx = registers.rcx as u32;
        Some(match code {
            [0x0F, 0x30, ..] => (2, Executed::Wrmsr(ecx, registers.rdx << 32 | registers.rax & 0xFFFF_FFFF)),
            [0x0F, opcode @ (0x32 | 0x33), ..] => {
                registers.rax = next & 0xFFFF_FFFF;
                registers.rdx = next >> 32;
                (2, if opcode == 0x32 { Executed::Rdmsr(ecx, next) } else { Executed::Rdpmc(ecx, next) })
            }
            [0x0F, opcode @ (0x21 | 0x23), operands, ..] => (3, mov(registers, opcode, operands, 0, next)),
            [0x41, 0x0F, opcode @ (0x21 | 0x23), operands, ..] => (4, mov(registers, opcode, operands, 8, next)),
            // XOP: 8F, then map 9 with no register extended, then W = 1 and no other operand, opcode 12, RAX.
            [0x8F, 0xE9, 0xF8, 0x12, 0xC0, ..] => (5, Executed::Llwpcb(registers.rax)),
            [0x8F, 0xE9, 0xF8, 0x12, 0xC8, ..] => {
                registers.rax = next;
                (5, Executed::Slwpcb(next))
            }
            _ => return None,
        })
    }

    /// MOV from (21) and to (23) the debug register in bits 5:3 of `operands`; bits 2:0 and `extension` are the other one.
    fn mov(registers: &mut Registers, opcode: u8, operands: u8, extension: u8, next: u64) -> Executed {
        let debug = operands >> 3 & 7;
        let general = general(registers, operands & 7 | extension);
        if opcode == 0x23 {
            return Executed::ToDebug(debug, *general);
        }
        *general = next;
        Executed::FromDebug(debug, next)
    }

    fn general(registers: &mut Registers, number: u8) -> &mut u64 {
        match number {
            0 => &mut registers.rax,
            1 => &mut registers.rcx,
            2 => &mut registers.rdx,
            3 => &mut registers.rbx,
            4 => &mut registers.rsp,
            5 => &mut registers.rbp,
            6 => &mut registers.rsi,
            7 => &mut registers.rdi,
            8 => &mut registers.r8,
            9 => &mut registers.r9,
            10 => &mut registers.r10,
            11 => &mut registers.r11,
            12 => &mut registers.r12,
            13 => &mut registers.r13,
            14 => &mut registers.r14,
            _ => &mut registers.r15,
        }
    }
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn opcodes_and_operands() {
    use watched::Executed::{FromDebug, Llwpcb, Rdmsr, Rdpmc, Slwpcb, ToDebug, Wrmsr};
    let mut expected = vec![
        Rdmsr(0x1D9, 0x1111_1111_0000_0000),
        Wrmsr(0xC000_0103, 0x1111_1111_0000_0001),
        Rdpmc(0x4000_0001, 0x2222_2222_0000_0000),
        Wrmsr(0xC1, 0x2222_2222_0000_0001),
    ];
    for n in 0..8 {
        let read = 0x3333_3333_0000_0000 + 0x1111_1111_0000_0000 * u64::from(n);
        expected.extend([FromDebug(n, read), ToDebug(n, read + 1)]);
    }
    expected.extend([
        Slwpcb(0xBBBB_BBBB_0000_0000), // LLWPCB returns nothing, so the old address is asked for first
        Llwpcb(0x1234_5678_9ABC_DEF0),
        Slwpcb(0xCCCC_CCCC_0000_0000),
        Wrmsr(1, 0xBBBB_BBBB_0000_0001),
        Wrmsr(2, 0xCCCC_CCCC_0000_0001),
    ]);
    assert_eq!(watched::trace(), expected);
}
