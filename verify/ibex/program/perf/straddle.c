/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The part of the program whose accesses are not aligned: that of the debug unit.
 */
#include "debug/straddle.c"
