"""The errors that end a run with a sentence and exit code 2."""


class ClusterError(Exception):
    """Something the user can mend; its text is one sentence that says what and where."""


class ContractError(ClusterError):
    """A line, an id, a path or a message that is not what the contract allows."""


class ProgramError(ClusterError):
    """The program `grundy` is not there or said no."""


class StoreError(ClusterError):
    """The object store cannot be reached, or does not hold what was written to it."""
