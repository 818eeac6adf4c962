# SPDX-License-Identifier: MIT OR Apache-2.0
"""The shared cache compared with pycachesim."""


class StudyError(Exception):
    """A reason why nothing can be compared, with the exit code."""

    def __init__(self, message, code=3):
        super().__init__(message)
        self.code = code
