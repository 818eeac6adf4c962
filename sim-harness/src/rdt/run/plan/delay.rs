//! Shares of the memory bandwidth as delay values.

use super::error::PlanError;
use super::share::Share;
use lwp_regs::rdt::MbaCaps;

/// Returns the delay value whose share is nearest to what is asked for.
///
/// `period` is the cycles that an undelayed request takes, which only delays that are not linear need.
pub(super) fn delay(app: &str, share: Share, mba: &MbaCaps, period: Option<u32>) -> Result<u16, PlanError> {
    let (percent, most) = (share.percent(), mba.max_delay);
    let least = share_of(most, mba, period).ok_or_else(|| {
        let what = format!("bandwidth of `{app}`: delay values are cycles, and CPUID does not say of how many");
        PlanError::limit(what, "give --mba-period N: cycles of a request of a logical processor that is delayed by 0")
    })?;
    let values = values(mba);
    let distance = |value: &u16| share_of(*value, mba, period).map_or(f64::MAX, |got| (got - percent).abs());
    let best = values.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or_default();
    // Half a percent is lost to the rounding of percents anyway.
    if percent < least - 0.5 {
        let what =
            format!("bandwidth of `{app}`: {share} is less than {least:.1}%, which the largest delay ({most}) leaves");
        return Err(PlanError::limit(what, "ask for more"));
    }
    Ok(best)
}

/// Returns the share of the bandwidth that a delay leaves, in percent; `None` if CPUID does not say.
pub(super) fn share_of(delay: u16, mba: &MbaCaps, period: Option<u32>) -> Option<f64> {
    if delay == 0 {
        return Some(100.0);
    }
    if mba.linear {
        return Some(100.0 - f64::from(delay));
    }
    let (period, gap) = (f64::from(period?), 1u32 << delay.ilog2());
    Some(100.0 * period / (period + f64::from(gap)))
}

/// Returns the delay values that act differently, from 0 upwards.
pub(super) fn values(mba: &MbaCaps) -> Vec<u16> {
    if mba.linear {
        return (0..=mba.max_delay).collect();
    }
    let powers = (0..16).map(|power| 1u16 << power).take_while(|value| *value <= mba.max_delay);
    std::iter::once(0).chain(powers).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mba(max_delay: u32, linear: bool) -> MbaCaps {
        MbaCaps::from_cpuid([max_delay - 1, 0, u32::from(linear) << 2, 3])
    }

    fn of(percent: f64, mba: &MbaCaps, period: Option<u32>) -> Result<u16, String> {
        delay("a", Share::of(percent).unwrap(), mba, period).map_err(|error| error.to_string())
    }

    #[test]
    fn linear_delays_are_what_is_missing() {
        let mba = mba(90, true);
        for (percent, expected) in [(100.0, 0), (50.0, 50), (10.0, 90), (9.6, 90), (33.3, 67), (66.6, 33)] {
            assert_eq!(of(percent, &mba, None), Ok(expected), "{percent}");
        }
        assert!(of(9.0, &mba, None).unwrap_err().contains("9% is less than 10.0%"));
    }

    // With a period of 8 the gaps are 8 + 1, 8 + 2, 8 + 4, ... cycles, which leave 88.9, 80, 66.7, 50, 33.3, 20, 11.1 percent.
    #[test]
    fn other_delays_are_powers_of_two_cycles() {
        let mba = mba(64, false);
        for (percent, expected) in [(100.0, 0), (90.0, 1), (65.0, 4), (50.0, 8), (30.0, 16), (12.0, 64)] {
            assert_eq!(of(percent, &mba, Some(8)), Ok(expected), "{percent}");
        }
        assert!(of(5.0, &mba, Some(8)).unwrap_err().contains("less than 11.1%"));
        assert!(of(50.0, &mba, None).unwrap_err().contains("CPUID does not say"));
        assert_eq!(share_of(63, &mba, Some(8)), Some(20.0), "rounded down to 32");
    }
}
