# SPDX-License-Identifier: MIT OR Apache-2.0
"""What verify/formal/prove does."""

import pathlib
import sys

# What this shares with make synth.
sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "tools/scripts"))
