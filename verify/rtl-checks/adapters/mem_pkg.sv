// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What the benches of the memory adapters share: random bits from a seed of our own, and which addresses answer how.

package mem_pkg;

  // xorshift32; never 0.
  function automatic logic [31:0] step(logic [31:0] x);
    logic [31:0] y;
    y = x ^ (x << 13);
    y = y ^ (y >> 17);
    return y ^ (y << 5);
  endfunction

  // 4 KiB of memory; its last 1 KiB answers with errors.
  function automatic logic is_bad(logic [63:0] addr);
    return addr[11:10] == 2'b11;
  endfunction

  // The bytes of `data` that `be` names, over `old`.
  function automatic logic [63:0] merge(logic [63:0] old, logic [63:0] data, logic [7:0] be);
    for (int b = 0; b < 8; b++) begin
      merge[8*b+:8] = be[b] ? data[8*b+:8] : old[8*b+:8];
    end
  endfunction

endpackage
