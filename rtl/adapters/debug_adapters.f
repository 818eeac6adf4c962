adapters/lwp_rvfi_load.sv
adapters/retire_rvfi_access.sv
adapters/debug_retire_rvfi.sv
adapters/debug_db_mmio.sv
adapters/ctl_split.sv
adapters/reg_mmio.sv
adapters/debug_rvfi_top.sv
