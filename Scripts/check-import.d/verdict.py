"""The result of importing a file."""


class Verdict:
    """`outcome` is one of these:

    same: it came out as it is
    told: it differs, and a problem of a page or a message says so
    refused: nothing came out, and the message says why
    differs: it differs, and nothing says so
    silent: nothing came out, and nothing says so
    crashed: the program ended by a signal, or hung
    unread: no other program reads it, so that nothing was compared
    unjudged: the comparison itself failed
    """

    FAULTS = {"differs", "silent", "crashed", "unjudged"}

    def __init__(self, file: str, kind: str):
        self.file = file
        self.kind = kind
        self.outcome = "same"
        self.what: list[str] = []
        self.problems: list[str] = []
        # The program whose reading was nearest.
        self.reader = ""

    def ended(self, outcome: str, what: str) -> "Verdict":
        self.outcome = outcome
        self.what.append(" ".join(what.split())[:300])
        return self

    def differs(self, what: str) -> None:
        """Records a difference, which is accepted if a problem of the page mentions it."""
        self.ended("told" if self.problems else "differs", what)

    @property
    def is_fault(self) -> bool:
        return self.outcome in self.FAULTS

    @property
    def line(self) -> str:
        return f"{self.outcome:9} {self.file}: {'; '.join(self.what)}"
