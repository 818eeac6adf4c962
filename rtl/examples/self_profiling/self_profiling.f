examples/self_profiling/sp_core.sv
examples/self_profiling/sp_memory.sv
examples/self_profiling/sp_top.sv
