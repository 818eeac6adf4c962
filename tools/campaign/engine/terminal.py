# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the campaign prints: a pipe that was closed stops nothing, and what a program said moves no cursor."""

from __future__ import annotations

import os
import re
import sys
from typing import TextIO


def printed(text: str, stream: TextIO, end: str) -> None:
    """Prints; whoever closed the pipe has seen enough, and what follows goes nowhere."""
    try:
        print(text, end=end, file=stream, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def say(text: str) -> None:
    """Prints a line of the answer."""
    printed(text, sys.stdout, "\n")


def tell(text: str, end: str = "\n") -> None:
    """Prints a line about the work in progress."""
    printed(text, sys.stderr, end)


def quiet(text: str) -> str:
    """Returns a text of a program without control characters."""
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", "?", text)
