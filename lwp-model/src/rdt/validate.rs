//! Combinations of straps that are illegal, in the order of the contract's table.

use super::config::{Config, Sizes, Vendor};
use super::config_error::ConfigError;

impl Config {
    /// Checks the combination of straps, for a build of these sizes.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] names the rule that is broken.
    pub fn validate(&self, sizes: &Sizes) -> Result<(), ConfigError> {
        self.check_widths()?;
        self.check_caches(sizes)?;
        self.check_monitoring(sizes)?;
        self.check_classes(sizes)?;
        self.check_delays()
    }

    const fn check_widths(&self) -> Result<(), ConfigError> {
        if self.events > 7 {
            return Err(ConfigError::Wide(&["events"]));
        }
        if self.scale > 15 {
            return Err(ConfigError::Wide(&["scale"]));
        }
        if self.start >> 62 != 0 {
            return Err(ConfigError::Wide(&["start"]));
        }
        if self.mba_max > 0xFFF {
            return Err(ConfigError::Wide(&["mba_max"]));
        }
        Ok(())
    }

    const fn check_caches(&self, sizes: &Sizes) -> Result<(), ConfigError> {
        if self.line < 4 || self.line > 8 {
            return Err(ConfigError::Line(self.line));
        }
        if self.l3_sets > 12 || 1 << self.l3_sets > sizes.l3_sets {
            return Err(ConfigError::L3Sets);
        }
        if self.l3_ways == 0 || self.l3_ways as usize > sizes.l3_ways {
            return Err(ConfigError::L3Ways);
        }
        if !self.l2 {
            return self.check_without_l2();
        }
        if self.l2_sets > 10 || 1 << self.l2_sets > sizes.l2_sets {
            return Err(ConfigError::L2Sets);
        }
        if self.l2_ways == 0 || self.l2_ways as usize > sizes.l2_ways {
            return Err(ConfigError::L2Ways);
        }
        Ok(())
    }

    const fn check_without_l2(&self) -> Result<(), ConfigError> {
        if self.l2_sets != 0 {
            return Err(ConfigError::WithoutL2(&["l2_sets", "l2"]));
        }
        if self.l2_ways != 0 {
            return Err(ConfigError::WithoutL2(&["l2_ways", "l2"]));
        }
        if self.l2_cat {
            return Err(ConfigError::WithoutL2(&["l2_cat", "l2"]));
        }
        Ok(())
    }

    const fn check_monitoring(&self, sizes: &Sizes) -> Result<(), ConfigError> {
        if self.sparse && matches!(self.vendor, Vendor::Amd) {
            return Err(ConfigError::SparseAmd);
        }
        if self.max_rmid as usize >= sizes.rmids {
            return Err(ConfigError::MaxRmid);
        }
        if self.l3_max_rmid > self.max_rmid {
            return Err(ConfigError::L3MaxRmid);
        }
        if self.max_rmid > 0 && !self.has_monitoring() {
            return Err(ConfigError::RmidsWithoutMonitoring);
        }
        if self.width < 24 || self.width > 62 {
            return Err(ConfigError::Width(self.width));
        }
        if self.width == 24 && self.has_monitoring() && matches!(self.vendor, Vendor::Amd) {
            return Err(ConfigError::WidthAmd);
        }
        if self.width + self.scale > 62 {
            return Err(ConfigError::WidthScale);
        }
        Ok(())
    }

    const fn check_classes(&self, sizes: &Sizes) -> Result<(), ConfigError> {
        if self.l3_cos as usize >= sizes.classes {
            return Err(ConfigError::Classes(&["l3_cos"]));
        }
        if self.l2_cos as usize >= sizes.classes {
            return Err(ConfigError::Classes(&["l2_cos"]));
        }
        if self.mba_cos as usize >= sizes.classes {
            return Err(ConfigError::Classes(&["mba_cos"]));
        }
        if self.l3_cos > 0 && !self.l3_cat {
            return Err(ConfigError::WithoutResource(&["l3_cos", "l3_cat"]));
        }
        if self.l3_cdp && !self.l3_cat {
            return Err(ConfigError::WithoutResource(&["l3_cdp", "l3_cat"]));
        }
        if self.l2_cos > 0 && !self.l2_cat {
            return Err(ConfigError::WithoutResource(&["l2_cos", "l2_cat"]));
        }
        if self.l2_cdp && !self.l2_cat {
            return Err(ConfigError::WithoutResource(&["l2_cdp", "l2_cat"]));
        }
        if self.mba_cos > 0 && !self.mba {
            return Err(ConfigError::WithoutResource(&["mba_cos", "mba"]));
        }
        if self.l3_cdp && self.l3_cos == 0 {
            return Err(ConfigError::CdpOneMask(&["l3_cdp", "l3_cos"]));
        }
        if self.l2_cdp && self.l2_cos == 0 {
            return Err(ConfigError::CdpOneMask(&["l2_cdp", "l2_cos"]));
        }
        Ok(())
    }

    const fn check_delays(&self) -> Result<(), ConfigError> {
        if !self.mba {
            return Ok(());
        }
        if self.mba_max == 0 {
            return Err(ConfigError::NoDelay(&["mba_max", "mba"]));
        }
        if self.mba_period == 0 {
            return Err(ConfigError::NoDelay(&["mba_period", "mba"]));
        }
        if self.mba_linear && self.mba_max > 99 {
            return Err(ConfigError::LinearMax(self.mba_max));
        }
        Ok(())
    }
}
