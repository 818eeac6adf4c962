//! Shares of a cache as capacity masks.

use super::error::PlanError;
use super::goals::CacheGoal;
use super::share::Share;

/// Masks of a class for its data and its code, which are the same without CDP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Masks {
    /// Where data goes.
    pub(super) data: u32,
    /// Where code goes.
    pub(super) code: u32,
}

/// A claim to part of a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Claim<'a> {
    /// Whose it is.
    pub(super) app: &'a str,
    /// How much.
    pub(super) goal: Option<CacheGoal>,
    /// Others may use it too.
    pub(super) overlap: bool,
    /// It stands for everything without a class of its own.
    pub(super) default: bool,
}

/// The masks of one cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Masks of each claim, in order.
    pub(super) of: Vec<Masks>,
    /// Mask of everything else: what no claim has for itself.
    pub(super) rest: u32,
}

/// Lays the claims out from bit 0 upwards: those of their own one after the other, those that overlap in what is left, which is also for
/// claims without a goal and for everything else.
///
/// `level` names the cache, `length` is that of its masks.
pub(super) fn lay_out(level: &str, length: u32, claims: &[Claim<'_>]) -> Result<Layout, PlanError> {
    let own = |claim: &&Claim<'_>| !claim.overlap;
    let shares: Vec<Share> = claims.iter().filter(own).flat_map(Claim::shares).collect();
    let default_is_own = claims.iter().any(|claim| claim.default && claim.goal.is_some() && !claim.overlap);
    let lacks_goal = claims.iter().any(|claim| claim.goal.is_none() || claim.overlap);
    let needs_rest = !default_is_own || lacks_goal;
    let widths = divide(level, length, &shares, needs_rest)?;
    let used: u32 = widths.iter().sum();
    let rest = ones(length - used) << used;
    let (mut widths, mut first) = (widths.into_iter(), 0);
    let mut next = || {
        let width = widths.next().unwrap_or_default();
        first += width;
        ones(width) << (first - width)
    };
    let mut of = Vec::new();
    for claim in claims {
        of.push(match claim.goal {
            None => Masks { data: rest, code: rest },
            Some(goal) if claim.overlap => overlapping(level, claim.app, goal, (length, used))?,
            Some(CacheGoal::Unified(_)) => {
                let mask = next();
                Masks { data: mask, code: mask }
            }
            Some(CacheGoal::Apart { .. }) => Masks { data: next(), code: next() },
        });
    }
    Ok(Layout { of, rest })
}

impl Claim<'_> {
    fn shares(&self) -> Vec<Share> {
        match self.goal {
            None => Vec::new(),
            Some(CacheGoal::Unified(share)) => vec![share],
            Some(CacheGoal::Apart { data, code }) => vec![data, code],
        }
    }
}

/// Masks at the bottom of what is left from bit `used` on.
fn overlapping(level: &str, app: &str, goal: CacheGoal, (length, used): (u32, u32)) -> Result<Masks, PlanError> {
    let mask = |share: Share| {
        let width = nearest(share, length);
        if used + width > length {
            let what = format!("{level}: `{app}` asks for {width} of {length} bits, and {} are left", length - used);
            return Err(PlanError::limit(what, "lower the shares of the others, or let them overlap too"));
        }
        Ok(ones(width) << used)
    };
    Ok(match goal {
        CacheGoal::Unified(share) => {
            let mask = mask(share)?;
            Masks { data: mask, code: mask }
        }
        CacheGoal::Apart { data, code } => Masks { data: mask(data)?, code: mask(code)? },
    })
}

/// Divides the bits: each share gets the bits below or above it, at least one, and all of them together what their sum rounds to.
fn divide(level: &str, length: u32, shares: &[Share], needs_rest: bool) -> Result<Vec<u32>, PlanError> {
    let sum: u32 = shares.iter().map(|share| share.thousandths()).sum();
    if sum > Share::ALL.thousandths() {
        let what = format!("{level}: the shares add up to {}%", f64::from(sum) / 1000.0);
        return Err(PlanError::limit(what, "lower them, or let applications overlap"));
    }
    let available = length - u32::from(needs_rest);
    let product = |share: &Share| u64::from(share.thousandths()) * u64::from(length);
    let mut widths: Vec<u32> = shares.iter().map(|share| (product(share) / 100_000).max(1) as u32).collect();
    let least: u32 = widths.iter().sum();
    if least > available {
        let rest = if needs_rest { ", and everything else needs one" } else { "" };
        let what = format!("{level}: the shares need {least} of {length} bits, at least one each{rest}");
        let help =
            "lower the shares, let applications overlap, or name the application `default` that is for everything else";
        return Err(PlanError::limit(what, help));
    }
    let wanted = (u64::from(sum) * u64::from(length) + 50_000) / 100_000;
    let spare = available.min(wanted as u32).saturating_sub(least);
    // The largest remainders get the bits that are left.
    let mut order: Vec<usize> = (0..shares.len()).filter(|at| product(&shares[*at]) >= 100_000).collect();
    order.sort_by_key(|at| std::cmp::Reverse(product(&shares[*at]) % 100_000));
    for at in order.into_iter().filter(|at| product(&shares[*at]) % 100_000 > 0).take(spare as usize) {
        widths[at] += 1;
    }
    Ok(widths)
}

/// Bits nearest to the share, at least one.
fn nearest(share: Share, length: u32) -> u32 {
    ((u64::from(share.thousandths()) * u64::from(length) + 50_000) / 100_000).max(1) as u32
}

/// The lowest `width` bits.
const fn ones(width: u32) -> u32 {
    if width >= 32 { u32::MAX } else { (1 << width) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(percent: f64) -> Claim<'static> {
        Claim { app: "a", goal: Share::of(percent).map(CacheGoal::Unified), overlap: false, default: false }
    }

    fn data(length: u32, claims: &[Claim<'_>]) -> (Vec<u32>, u32) {
        let layout = lay_out("L3", length, claims).unwrap();
        assert!(layout.of.iter().all(|masks| masks.data == masks.code));
        (layout.of.iter().map(|masks| masks.data).collect(), layout.rest)
    }

    fn refusal(length: u32, claims: &[Claim<'_>]) -> String {
        lay_out("L3", length, claims).unwrap_err().to_string()
    }

    #[test]
    fn shares_are_laid_out_one_after_the_other() {
        assert_eq!(data(4, &[claim(25.0), claim(50.0)]), (vec![0b0001, 0b0110], 0b1000));
        assert_eq!(data(16, &[claim(25.0)]), (vec![0xF], 0xFFF0));
        assert_eq!(data(32, &[claim(50.0)]), (vec![0xFFFF], 0xFFFF_0000));
    }

    // 50, 25 and 25 percent of 11 bits are 5.5, 2.75 and 2.75: 5, 2 and 2, and the two bits that are left go to the larger remainders.
    #[test]
    fn the_largest_remainders_are_rounded_up() {
        let all = [claim(50.0), claim(25.0), Claim { default: true, ..claim(25.0) }];
        assert_eq!(data(11, &all), (vec![0b1_1111, 0b1110_0000, 0b111_0000_0000], 0));
        // A bit remains for everything else: 9.9 bits of 11 are 10, and 98 percent as well.
        assert_eq!(data(11, &[claim(90.0)]).0, [0x3FF]);
        assert_eq!(data(11, &[claim(98.0)]).0, [0x3FF]);
        assert_eq!(data(4, &[claim(1.0)]).0, [1], "at least one");
    }

    #[test]
    fn what_overlaps_shares_what_is_left() {
        let shared = |percent| Claim { overlap: true, ..claim(percent) };
        let without = Claim { goal: None, ..claim(1.0) };
        assert_eq!(data(8, &[shared(25.0), claim(50.0), shared(50.0), without]), (vec![0x30, 0x0F, 0xF0, 0xF0], 0xF0));
        assert!(refusal(8, &[claim(75.0), shared(50.0)]).contains("`a` asks for 4 of 8 bits, and 2 are left"));
    }

    #[test]
    fn code_and_data_are_apart() {
        let goal = Some(CacheGoal::Apart { data: Share::of(50.0).unwrap(), code: Share::of(25.0).unwrap() });
        let layout = lay_out("L3", 4, &[Claim { goal, ..claim(1.0) }]).unwrap();
        assert_eq!(layout, Layout { of: vec![Masks { data: 0b0011, code: 0b0100 }], rest: 0b1000 });
    }

    #[test]
    fn too_much_is_refused() {
        assert!(refusal(4, &[claim(75.0), claim(50.0)]).contains("add up to 125%"));
        let whole = refusal(4, &[claim(75.0), claim(25.0)]);
        assert!(whole.contains("need 4 of 4 bits, at least one each, and everything else needs one"), "{whole}");
        let four: Vec<_> = (0..4).map(|_| claim(1.0)).collect();
        assert!(refusal(4, &four).contains("need 4 of 4 bits"));
    }
}
