"""Every error that Hindsight raises on purpose.

    HindsightError
    ├── BadInput      the caller's fault: say which value, and what to send instead; never retried
    ├── BadSettings   a setting or a pinned choice is wrong: the program does not start
    ├── Permanent     will fail again however often it is tried: a broken file, a refused model
    └── Temporary     may succeed later: a locked store, a server that is not up yet

An exception outside this tree is a bug, not a temporary fault, and is never retried.
Each message holds what went wrong, the value, and the way out, in one or two sentences.
"""


class HindsightError(Exception):
    """Root of the tree; ``code`` is what tools answer as the machine-readable kind of the failure."""

    code = "error"


class BadInput(HindsightError):
    """An argument, an event or a file cannot be taken as it is."""

    code = "bad_input"


class BadSettings(HindsightError):
    """A setting is invalid, or differs from what the data folder was made with."""

    code = "bad_settings"


class Permanent(HindsightError):
    """The work cannot succeed without somebody changing something."""

    code = "failed"


class Temporary(HindsightError):
    """The work may succeed when tried again."""

    code = "try_again"
