# SPDX-License-Identifier: MIT OR Apache-2.0
"""What tools/synth/measure does."""

import pathlib
import sys

# What this shares with make formal.
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
