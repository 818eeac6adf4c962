# SPDX-License-Identifier: MIT OR Apache-2.0
"""Campaigns: long jobs, cut into shards, run on cores or by a scheduler, merged and shown."""


class Refused(Exception):
    """Wrong use or a place that cannot be used; the text is for the user, the exit code is 2."""
