# SPDX-License-Identifier: MIT OR Apache-2.0
"""A cluster of Slurm on this machine: its own daemons in the foreground, on the loopback interface, in a directory of their own.

For tests, as root: `auth/none` and `cred/none` believe everyone, so nothing else may run here that should not."""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator

CONFIGURATION = """\
ClusterName=campaign
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmUser=root
SlurmdUser=root
StateSaveLocation={home}/state
SlurmdSpoolDir={home}/spool
SlurmctldPidFile={home}/slurmctld.pid
SlurmdPidFile={home}/slurmd.pid
SlurmctldLogFile={home}/slurmctld.log
SlurmdLogFile={home}/slurmd.log
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
SchedulerParameters=sched_min_interval=100000,bf_interval=1
PriorityType=priority/basic
JobRequeue=1
MinJobAge=300
KillWait=2
MaxArraySize={most}
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def until(what: Callable[[], object], seconds: float, said: str) -> None:
    """Waits for a condition; an error names what did not come."""
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            raise TimeoutError(f"{said}: not within {seconds:.0f} s")
        time.sleep(0.2)


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    """The two daemons. `node_lost` and `node_back` kill and start the one that runs the tasks."""

    def __init__(self, home: pathlib.Path, cores: int = 2, most: int = 1001):
        if os.geteuid():
            raise PermissionError("the daemons of the test run as root")
        missing = [name for name in ("slurmctld", "slurmd", "sbatch") if not shutil.which(name)]
        if missing:
            raise FileNotFoundError(f"no {', '.join(missing)}: tools/scripts/setup slurm installs them")
        self.home = home
        home.mkdir(parents=True, exist_ok=True)
        self.configuration = home / "slurm.conf"
        host = socket.gethostname().partition(".")[0]
        self.host = host
        self.configuration.write_text(CONFIGURATION.format(host=host, ports=free_ports(2), home=home, cores=cores, most=most))
        self.environment = {**os.environ, "SLURM_CONF": str(self.configuration)}
        self.controller: subprocess.Popen[bytes] | None = None
        self.node: subprocess.Popen[bytes] | None = None

    def daemon(self, *command: str) -> subprocess.Popen[bytes]:
        with (self.home / f"{command[0]}.out").open("ab") as out:
            return subprocess.Popen(command, env=self.environment, stdout=out, stderr=subprocess.STDOUT, start_new_session=True)

    def start(self) -> None:
        (self.home / "state").mkdir(exist_ok=True)
        (self.home / "spool").mkdir(exist_ok=True)
        self.controller = self.daemon("slurmctld", "-D", "-i")
        self.node = self.daemon("slurmd", "-D")
        until(lambda: self.state() == "idle", 60, "the node is idle")

    def ask(self, *command: str) -> str:
        return subprocess.run(command, env=self.environment, capture_output=True, text=True).stdout

    def state(self) -> str:
        return self.ask("sinfo", "--noheader", "--format=%T").strip()

    def tasks(self) -> list[int]:
        """Returns the processes `campaign task` of this cluster."""
        mark = f"SLURM_CONF={self.configuration}".encode()
        found = []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if b"\0task\0" in (folder / "cmdline").read_bytes() and mark in (folder / "environ").read_bytes():
                    found.append(int(folder.name))
        return found

    def node_lost(self) -> None:
        """Kills the daemon of the node and its tasks, as a loss of power does."""
        assert self.node
        self.node.kill()
        self.node.wait()
        for pid in self.members():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def members(self) -> list[int]:
        """Returns all processes of tasks: those that have this cluster in their environment, without clients and daemons."""
        mark = f"SLURM_CONF={self.configuration}".encode()
        found = []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                environment = (folder / "environ").read_bytes()
                if mark in environment and (b"SLURM_JOB_ID=" in environment or b"slurmstepd" in (folder / "cmdline").read_bytes()):
                    found.append(int(folder.name))
        return found

    def node_back(self) -> None:
        self.node = self.daemon("slurmd", "-D")
        until(lambda: self.state() in ("idle", "mixed", "allocated"), 90, "the node is back")

    def stop(self) -> None:
        """Ends the daemons and the tasks, and nothing else, also if a second Ctrl-C comes."""
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            for daemon in (self.controller, self.node):
                if daemon and daemon.poll() is None:
                    daemon.kill()
                    daemon.wait()
            for pid in self.members():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        finally:
            # At the end of the interpreter there is no handler any more.
            if before is not None:
                signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def running(home: pathlib.Path, cores: int = 2, most: int = 1001) -> Iterator[Cluster]:
    """A cluster that is ended whatever happens."""
    cluster = Cluster(home, cores, most)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()
        shutil.rmtree(home, ignore_errors=True)
