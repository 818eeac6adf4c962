# SPDX-License-Identifier: MIT OR Apache-2.0
"""The commit that a campaign is of."""

from __future__ import annotations

import hashlib
import pathlib
import subprocess

from . import Refused


def commit(root: pathlib.Path) -> str:
    """Returns the commit of the tree, with `+` and a digest of what differs from it, untracked files included."""
    def git(*arguments: str) -> bytes:
        try:
            run = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True)
        except FileNotFoundError:
            raise Refused("there is no git here, which tells the commit of a campaign") from None
        if run.returncode:
            raise Refused(f"{root} is not a checkout of git, so its commit is not known: {run.stderr.decode().strip()}")
        return run.stdout

    name = git("rev-parse", "--short=12", "HEAD").decode().strip()
    changes = git("diff", "HEAD", "--binary", "--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/")
    new = [path for path in git("ls-files", "--others", "--exclude-standard", "-z").split(b"\0") if path]
    if not changes and not new:
        return name
    hashed = hashlib.sha256(changes)
    for path in sorted(new):
        content = root / pathlib.Path(path.decode(errors="surrogateescape"))
        hashed.update(path + b"\0" + (hashlib.sha256(content.read_bytes()).digest() if content.is_file() else b""))
    return f"{name}+{hashed.hexdigest()[:8]}"


def outside(root: pathlib.Path, folder: pathlib.Path) -> None:
    """Refuses a directory that would itself make the tree differ from its commit."""
    if folder.is_relative_to(root.absolute()):
        run = subprocess.run(["git", "-C", str(root), "check-ignore", "--quiet", str(folder / "campaign.json")], capture_output=True)
        if run.returncode == 1:
            raise Refused(f"{folder} is in the checkout, and git does not ignore it: the tree would not be that of its commit any more; name another "
                          "directory with --folder")
