adapters/lwp_rvfi_branch.sv
adapters/lwp_rvfi_load.sv
adapters/retire_rvfi_access.sv
adapters/perf_retire_rvfi.sv
adapters/perf_apic_mmio.sv
adapters/ctl_split.sv
adapters/reg_mmio.sv
adapters/perf_rvfi_top.sv
