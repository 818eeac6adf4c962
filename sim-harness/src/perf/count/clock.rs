//! The frequency of the processor's clock, by which a count becomes a rate.

use super::CountError;
use lwp_regs::perf::metrics::Megahertz;
use std::fs;

/// Returns the clock that the user names: a number of MHz, or `cpuinfo` for the first processor of this machine.
///
/// # Errors
/// [`CountError::Clock`] if it is not a number above 0, or this machine does not tell its clock.
pub fn clock_of(text: &str) -> Result<Megahertz, CountError> {
    if text == "cpuinfo" {
        let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let none = || CountError::Clock { what: "/proc/cpuinfo has no line `cpu MHz` with a clock above 0".to_owned() };
        return of_cpuinfo(&cpuinfo).ok_or_else(none);
    }
    let clock = text.parse().ok().and_then(Megahertz::new);
    clock.ok_or_else(|| CountError::Clock { what: format!("`{text}` MHz is no clock") })
}

/// The clock of the first processor.
fn of_cpuinfo(cpuinfo: &str) -> Option<Megahertz> {
    let value = |line: &str| {
        line.split_once(':').filter(|(key, _)| key.trim() == "cpu MHz").map(|(_, value)| value.trim().to_owned())
    };
    cpuinfo.lines().find_map(value)?.parse().ok().and_then(Megahertz::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    // MET-26: the clock is a parameter, or the one that the system tells
    #[test]
    fn a_clock_is_given_or_found() {
        assert_eq!(clock_of("650").unwrap().get(), 650.0);
        let cpuinfo =
            "processor\t: 0\nmodel name\t: Pentium III (Coppermine)\ncpu MHz\t\t: 651.483\ncache size\t: 256 KB\n";
        assert_eq!(of_cpuinfo(cpuinfo).map(Megahertz::get), Some(651.483));
        assert_eq!(of_cpuinfo("processor\t: 0\n"), None);
        assert_eq!(of_cpuinfo("cpu MHz : 0.000\n"), None);
    }

    #[test]
    fn a_clock_of_zero_is_none() {
        for wrong in ["0", "-1", "fast", "inf"] {
            assert_eq!(clock_of(wrong).unwrap_err().to_string(), format!("`{wrong}` MHz is no clock"));
        }
    }
}
