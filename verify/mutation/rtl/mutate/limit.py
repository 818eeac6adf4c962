"""A question in a process of its own, which has the memory of the one that asks and a limit of processor time."""

import multiprocessing
import resource

_FORK = multiprocessing.get_context("fork")


def limited(question, seconds):
    """The answer in a list of one, or an empty list if the time was too short."""
    here, there = _FORK.Pipe(duplex=False)
    child = _FORK.Process(target=_answer, args=(question, seconds, there))
    child.start()
    there.close()
    try:
        return [here.recv()]
    except EOFError:
        return []
    finally:
        child.join()
        here.close()


def _answer(question, seconds, there):
    # Counted from the start of this process: what the parent has used does not matter.
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    there.send(question())
