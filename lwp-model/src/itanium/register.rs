//! Registers as software sees them: what each reads, and what a write makes of it.
//!
//! `const` blocks: `new` of a layout is a call otherwise.

use super::state::{Counter, Dbr, Freeze, Ibr, Matcher, Pmc10, Pmc11, Pmc12, Pmc13};
use lwp_regs::bits::{U2, U3, U4, U7, U27, U56};
use lwp_regs::itanium as regs;
use lwp_regs::itanium::{Ism, MonitorLevel, Plm};

/// Returns the privilege level mask with these bits.
#[inline]
pub(super) const fn plm(bits: u8) -> Plm {
    Plm::from_bits_retain(bits)
}

/// Returns what enables a monitor with this `pm`.
#[inline]
pub(super) const fn level(pm: bool) -> MonitorLevel {
    if pm { MonitorLevel::System } else { MonitorLevel::User }
}

/// Returns the instruction sets of these two bits of a register.
#[inline]
pub(super) const fn ism(bits: u8) -> Ism {
    regs::Pmc45::from_bits((bits as u64) << 24).ism()
}

/// Returns the two bits of a register that stand for these instruction sets.
#[inline]
pub(super) const fn ism_bits(ism: Ism) -> u8 {
    (regs::Pmc45::new().with_ism(ism).into_bits() >> 24) as u8
}

pub(super) const fn is_system(level: MonitorLevel) -> bool {
    matches!(level, MonitorLevel::System)
}

impl Freeze {
    /// PMC\[0\].
    #[inline]
    pub(super) const fn register(&self) -> regs::Pmc0 {
        regs::Pmc0::new().with_fr(self.fr).with_overflow(U4::masked(self.overflow))
    }
}

impl Counter {
    /// PMC\[4 + c\]. The threshold of the last two counters has a bit less, which is 0.
    #[inline]
    pub(super) const fn register(&self) -> regs::Pmc45 {
        const { regs::Pmc45::new() }
            .with_plm(plm(self.plm))
            .with_ev(self.ev)
            .with_oi(self.oi)
            .with_pm(level(self.pm))
            .with_es(U7::masked(self.es))
            .with_umask(U4::masked(self.umask))
            .with_threshold(U3::masked(self.threshold))
            .with_ism(ism(self.ism))
    }

    /// Writes PMC\[4 + c\] of counter `c`.
    pub(super) const fn write(&mut self, c: usize, value: u64) {
        let pmc = regs::Pmc45::from_bits(value);
        self.plm = pmc.plm().bits();
        self.ev = pmc.ev();
        self.oi = pmc.oi();
        self.pm = is_system(pmc.pm());
        self.es = pmc.es().get();
        self.umask = pmc.umask().get();
        self.threshold = if c < 2 { pmc.threshold().get() } else { regs::Pmc67::from_bits(value).threshold().get() };
        self.ism = ism_bits(pmc.ism());
    }
}

impl Matcher {
    /// PMC\[8\] or PMC\[9\].
    #[inline]
    pub(super) const fn register(&self) -> regs::Pmc89 {
        const { regs::Pmc89::new() }
            .with_mask(U27::masked(self.mask))
            .with_match_value(U27::masked(self.match_value))
            .with_b(self.b)
            .with_f(self.f)
            .with_i(self.i)
            .with_m(self.m)
    }

    /// The fields of PMC\[8\] or PMC\[9\].
    pub(super) const fn of(value: u64) -> Self {
        let pmc = regs::Pmc89::from_bits(value);
        Self {
            mask: pmc.mask().get(),
            match_value: pmc.match_value().get(),
            b: pmc.b(),
            f: pmc.f(),
            i: pmc.i(),
            m: pmc.m(),
        }
    }
}

impl Pmc10 {
    /// The register.
    #[inline]
    pub(super) const fn register(&self) -> regs::Pmc10 {
        const { regs::Pmc10::new() }
            .with_plm(plm(self.plm))
            .with_pm(level(self.pm))
            .with_tlb(self.tlb)
            .with_umask(U4::masked(self.umask))
            .with_ism(ism(self.ism))
    }

    /// The fields of the register.
    pub(super) const fn of(value: u64) -> Self {
        let pmc = regs::Pmc10::from_bits(value);
        Self {
            plm: pmc.plm().bits(),
            pm: is_system(pmc.pm()),
            tlb: pmc.tlb(),
            umask: pmc.umask().get(),
            ism: ism_bits(pmc.ism()),
        }
    }
}

impl Pmc11 {
    /// The register.
    #[inline]
    pub(super) const fn register(&self) -> regs::Pmc11 {
        const { regs::Pmc11::new() }
            .with_plm(plm(self.plm))
            .with_pm(level(self.pm))
            .with_tlb(self.tlb)
            .with_umask(U4::masked(self.umask))
            .with_ism(ism(self.ism))
            .with_pt(self.pt)
    }

    /// The fields of the register.
    pub(super) const fn of(value: u64) -> Self {
        let pmc = regs::Pmc11::from_bits(value);
        Self {
            plm: pmc.plm().bits(),
            pm: is_system(pmc.pm()),
            tlb: pmc.tlb(),
            umask: pmc.umask().get(),
            ism: ism_bits(pmc.ism()),
            pt: pmc.pt(),
        }
    }
}

impl Pmc12 {
    /// The register.
    #[inline]
    pub(super) const fn register(&self) -> regs::Pmc12 {
        const { regs::Pmc12::new() }
            .with_plm(plm(self.plm))
            .with_pm(level(self.pm))
            .with_tar(self.tar)
            .with_tm(U2::masked(self.tm))
            .with_ptm(U2::masked(self.ptm))
            .with_ppm(U2::masked(self.ppm))
            .with_bpt(self.bpt)
            .with_bac(self.bac)
    }

    /// The fields of the register.
    pub(super) const fn of(value: u64) -> Self {
        let pmc = regs::Pmc12::from_bits(value);
        Self {
            plm: pmc.plm().bits(),
            pm: is_system(pmc.pm()),
            tar: pmc.tar(),
            tm: pmc.tm().get(),
            ptm: pmc.ptm().get(),
            ppm: pmc.ppm().get(),
            bpt: pmc.bpt(),
            bac: pmc.bac(),
        }
    }
}

impl Pmc13 {
    /// The register.
    #[inline]
    pub(super) const fn register(&self) -> regs::Pmc13 {
        regs::Pmc13::from_bits(self.rest << 1).with_ta(self.ta)
    }

    /// The fields of the register.
    pub(super) const fn of(value: u64) -> Self {
        Self { ta: regs::Pmc13::from_bits(value).ta(), rest: value >> 1 }
    }
}

impl Ibr {
    /// ibr\[2k + 1\].
    #[inline]
    const fn mask(&self) -> regs::IbrMask {
        regs::IbrMask::new().with_mask(U56::masked(self.mask)).with_plm(plm(self.plm)).with_x(self.x)
    }

    /// Both registers.
    #[inline]
    pub(super) const fn pair(&self) -> regs::Ibr {
        regs::Ibr { addr: self.addr, mask: self.mask() }
    }

    /// ibr\[2k + `half`\].
    pub(super) const fn read(&self, half: u8) -> u64 {
        if half == 0 { self.addr } else { self.mask().into_bits() }
    }

    /// Writes ibr\[2k + `half`\].
    pub(super) const fn write(&mut self, half: u8, value: u64) {
        if half == 0 {
            self.addr = value;
        } else {
            let mask = regs::IbrMask::from_bits(value);
            (self.mask, self.plm, self.x) = (mask.mask().get(), mask.plm().bits(), mask.x());
        }
    }
}

impl Dbr {
    /// dbr\[2k + 1\].
    #[inline]
    const fn mask(&self) -> regs::DbrMask {
        regs::DbrMask::new().with_mask(U56::masked(self.mask)).with_plm(plm(self.plm)).with_w(self.w).with_r(self.r)
    }

    /// Both registers.
    #[inline]
    pub(super) const fn pair(&self) -> regs::Dbr {
        regs::Dbr { addr: self.addr, mask: self.mask() }
    }

    /// dbr\[2k + `half`\].
    pub(super) const fn read(&self, half: u8) -> u64 {
        if half == 0 { self.addr } else { self.mask().into_bits() }
    }

    /// Writes dbr\[2k + `half`\].
    pub(super) const fn write(&mut self, half: u8, value: u64) {
        if half == 0 {
            self.addr = value;
        } else {
            let mask = regs::DbrMask::from_bits(value);
            (self.mask, self.plm, self.w, self.r) = (mask.mask().get(), mask.plm().bits(), mask.w(), mask.r());
        }
    }
}
