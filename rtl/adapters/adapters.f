adapters/lwp_mem_axi4.sv
adapters/lwp_mem_reqgnt.sv
adapters/lwp_rvfi_branch.sv
adapters/lwp_retire_rvfi.sv
adapters/lwp_etrace_branch.sv
adapters/lwp_retire_etrace.sv
