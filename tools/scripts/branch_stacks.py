# SPDX-License-Identifier: MIT OR Apache-2.0
"""Branch stacks in a file of records of `lwp-sim cosim --unit trace --records FILE`, and where a program's code is in memory.

`brstack` writes them as text, `perf-data` as a file of perf."""

import collections
import json
import os
import struct

# A line of the file that is not a record, or a program whose addresses are not known.
class InputError(Exception):
    pass


# A branch: addresses; predicted, in_tx and abort are True, False or None (not reported); cycles is 0 if not reported.
Branch = collections.namedtuple("Branch", "source target predicted in_tx abort cycles")
# Executable bytes of a file in memory, in whole pages.
Mapping = collections.namedtuple("Mapping", "start length offset path")

PAGE = 4096
EXECUTABLE, LOAD, FIXED = 1, 1, 2  # PF_X, PT_LOAD, ET_EXEC


def branch(record):
    return Branch(int(record["from"], 16), int(record["to"], 16), record.get("predicted"), record.get("in_tsx"),
                  record.get("tsx_abort"), record.get("cycles", 0))


def stacks(lines):
    """The stacks, newest branch first, each of records that follow each other. Other records end a stack, and so does another instruction."""
    stack, instruction = [], None
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
            is_entry = record["kind"] == "lbr"
            if stack and not (is_entry and record["instruction"] == instruction):
                yield stack
                stack = []
            if is_entry:
                stack.append(branch(record))
                instruction = record["instruction"]
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"line {number} is not a record of branches: {error!r}") from None
    if stack:
        yield stack


def mappings(binary):
    """The executable mappings of a program that is linked to fixed addresses."""
    path = os.path.abspath(binary)
    try:
        with open(path, "rb") as file:
            data = file.read()
        magic, kind, machine = struct.unpack_from("<16sHH", data)
        if magic[:6] != b"\x7fELF\x02\x01" or machine != 62:
            raise InputError(f"{binary} is not a 64-bit x86 program")
        if kind != FIXED:
            raise InputError(f"{binary} is not linked to fixed addresses: link it with -no-pie")
        table, size, count = struct.unpack_from("<32xQ14xHH", data)
        found = []
        for index in range(count):
            segment, flags, offset, start, _, _, length = struct.unpack_from("<IIQQQQQ", data, table + index * size)
            if segment == LOAD and flags & EXECUTABLE:
                first, end = start // PAGE * PAGE, -(-(start + length) // PAGE) * PAGE
                found.append(Mapping(first, end - first, offset // PAGE * PAGE, path))
        return found
    except (OSError, struct.error) as error:
        raise InputError(f"{binary} cannot be read: {error}") from None
