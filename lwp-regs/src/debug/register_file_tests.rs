use super::*;
use crate::access::GeneralProtection;
use crate::debug::DebugEntry;
use crate::refused::Rule;

const ALL: [DebugRegister; 8] = [
    DebugRegister::Dr0,
    DebugRegister::Dr1,
    DebugRegister::Dr2,
    DebugRegister::Dr3,
    DebugRegister::Dr4,
    DebugRegister::Dr5,
    DebugRegister::Dr6,
    DebugRegister::Dr7,
];

fn file() -> DebugRegisterFile {
    DebugRegisterFile::new(DebugCaps::INTEL_64)
}

fn write(file: &mut DebugRegisterFile, register: DebugRegister, value: u64) -> Result<(), DebugFault> {
    // SAFETY: nothing is armed in memory.
    unsafe { file.write_dr(register, value) }
}

// DBG-09: DR4 and DR5 are DR6 and DR7 while CR4.DE is 0, and do not exist while it is 1
#[test]
fn aliases_depend_on_cr4_de() {
    let mut file = file();
    write(&mut file, DebugRegister::Dr5, 0x402).unwrap();
    write(&mut file, DebugRegister::Dr4, 0x4000).unwrap();
    assert_eq!(file.read_dr(DebugRegister::Dr7), Ok(0x402));
    assert_eq!(file.read_dr(DebugRegister::Dr6), Ok(0xFFFF_4FF0));
    assert_eq!(file.read_dr(DebugRegister::Dr4), Ok(0xFFFF_4FF0));
    file.set_cr4_de(true);
    let before = file;
    for register in [DebugRegister::Dr4, DebugRegister::Dr5] {
        assert_eq!(file.read_dr(register), Err(DebugFault::InvalidOpcode));
        assert_eq!(write(&mut file, register, 0), Err(DebugFault::InvalidOpcode));
    }
    assert_eq!(file, before);
    assert_eq!(file.read_dr(DebugRegister::Dr7), Ok(0x402));
}

// DBG-05: at the levels 1 to 3 every access faults and changes nothing
#[test]
fn privilege() {
    for register in ALL {
        for level in 1..4 {
            let mut file = file();
            file.set_mode(ProcessorMode::Protected(Cpl::new(level).unwrap()));
            let before = file;
            let fault = DebugFault::GeneralProtection(GeneralProtection::Privilege);
            assert_eq!(file.read_dr(register), Err(fault));
            assert_eq!(write(&mut file, register, 0x1234), Err(fault));
            assert_eq!(file, before);
        }
        for mode in [ProcessorMode::RealAddress, ProcessorMode::SystemManagement] {
            let mut file = file();
            file.set_mode(mode);
            assert!(file.read_dr(register).is_ok());
            assert_eq!(write(&mut file, register, 0x1234), Ok(()));
        }
    }
}

// DBG-13, DBG-24, DBG-25, DBG-62: with GD set no access gets through; BD is set before the handler looks, GD is clear
#[test]
fn general_detect_comes_before_the_access() {
    for register in ALL {
        for writing in [false, true] {
            let mut file = file();
            write(&mut file, DebugRegister::Dr2, 0x5000).unwrap();
            write(&mut file, DebugRegister::Dr7, 0x0000_2420).unwrap();
            let addresses = file.breakpoints().addresses;
            let fault = if writing { write(&mut file, register, 0).err() } else { file.read_dr(register).err() };
            assert_eq!(fault, Some(DebugFault::GeneralDetect));
            assert_eq!(file.breakpoints().addresses, addresses);
            assert_eq!(file.status().into_bits(), 0xFFFF_2FF0);
            assert_eq!(file.breakpoints().control.into_bits(), 0x0000_0420);
        }
    }
}

// The order of the checks: level, no such register, general detect, value
#[test]
fn order_of_the_checks() {
    let mut file = file();
    file.set_control(Dr7::RESET.with_gd(true));
    file.set_mode(ProcessorMode::Protected(Cpl::USER));
    file.set_cr4_de(true);
    let privilege = DebugFault::GeneralProtection(GeneralProtection::Privilege);
    assert_eq!(write(&mut file, DebugRegister::Dr4, 1 << 32), Err(privilege));
    assert_eq!(write(&mut file, DebugRegister::Dr6, 1 << 32), Err(privilege));
    file.set_mode(ProcessorMode::Protected(Cpl::SYSTEM));
    assert_eq!(write(&mut file, DebugRegister::Dr4, 1 << 32), Err(DebugFault::InvalidOpcode));
    assert_eq!(write(&mut file, DebugRegister::Dr6, 1 << 32), Err(DebugFault::GeneralDetect));
    let value = GeneralProtection::refused("DR6", 1 << 32, Rule::MustBeZero);
    assert_eq!(write(&mut file, DebugRegister::Dr6, 1 << 32), Err(DebugFault::GeneralProtection(value)));
}

// DBG-07, DBG-10, DBG-17: what stands in the registers after reset and after all ones
#[test]
fn fixed_bits() {
    let mut file = file();
    let read = |file: &mut DebugRegisterFile| ALL.map(|register| file.read_dr(register).unwrap());
    assert_eq!(read(&mut file), [0, 0, 0, 0, 0xFFFF_0FF0, 0x400, 0xFFFF_0FF0, 0x400]);
    for register in &ALL[..4] {
        write(&mut file, *register, u64::MAX).unwrap();
    }
    write(&mut file, DebugRegister::Dr6, 0xFFFF_FFFF).unwrap();
    write(&mut file, DebugRegister::Dr7, 0xFFFF_D7FF).unwrap();
    let [dr0, dr1, dr2, dr3, .., dr6, dr7] = read(&mut file);
    assert_eq!([dr0, dr1, dr2, dr3], [u64::MAX; 4]);
    assert_eq!((dr6, dr7), (0xFFFF_EFFF, 0xFFFF_07FF));
}

// DBG-63: a monitor owns the registers and gives the program another set; it knows the condition by BD
#[test]
fn virtual_registers() {
    let mut processor = file();
    let mut shown = file();
    processor.set_control(Dr7::RESET.with_gd(true));

    // The program moves to DR0 and reads it back.
    for value in [None, Some(0x1234), None] {
        let fault = match value {
            Some(value) => write(&mut processor, DebugRegister::Dr0, value).err(),
            None => processor.read_dr(DebugRegister::Dr0).err(),
        };
        assert_eq!(fault, Some(DebugFault::GeneralDetect));
        let entry = DebugEntry::enter(&mut processor).unwrap();
        assert!(entry.status().bd(), "that is how the handler knows");
        if let Some(value) = value {
            write(&mut shown, DebugRegister::Dr0, value).unwrap();
        }
        // SAFETY: nothing is armed in memory.
        unsafe { entry.leave_with(&mut processor, |control| control.with_gd(true)) }.unwrap();
        assert_eq!(processor.status(), Dr6::RESET);
        assert_eq!(processor.breakpoints().addresses[0].address(), 0, "the processor's own is untouched");
    }
    assert_eq!(shown.read_dr(DebugRegister::Dr0), Ok(0x1234));
}
