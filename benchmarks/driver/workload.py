"""A workload and its targets: the words in which workloads.py and php_works.py list them."""

from dataclasses import dataclass, field

BASELINE = "floor"  # the program that measures the limit


@dataclass(frozen=True)
class Target:
    """A bound for our figure, or for its ratio to a peer or to the limit."""

    bound: float
    against: str = ""  # a program; empty: the figure itself
    strict: bool = False  # the bound itself is not good enough

    def text(self, better: str) -> str:
        sign = {"lower": "<" if self.strict else "≤", "higher": ">" if self.strict else "≥"}[better]
        if not self.against:
            return f"{sign} {self.bound:,g}"
        name = "limit" if self.against == BASELINE else self.against
        return f"{sign} {name}" if self.bound == 1 else f"{sign} {self.bound:g} × {name}"

    def reached(self, value: float, better: str) -> bool:
        if value == self.bound:
            return not self.strict
        return value < self.bound if better == "lower" else value > self.bound


@dataclass(frozen=True)
class Workload:
    name: str
    what: str
    unit: str
    programs: tuple[str, ...]  # besides ours
    count: int
    quick_count: int
    rounds: int = 5
    quick_rounds: int = 3
    whole: tuple[str, ...] = ()  # programs that do the full count even when it shall be quick
    scales: bool = True  # fast programs do more of it, for a steady reading
    better: str = "lower"
    needs_gb: dict[str, float] = field(default_factory=dict)  # memory that must be available, by program
    targets: tuple[Target, ...] = ()
    serve: str = ""  # what the program is called with when it is a server under load; the count is milliseconds then
    load: tuple[str, ...] = ()  # the load: a program of ours or a tool, and its arguments
    database: str = ""  # the server all programs talk to, a name of databases.py
    ours: str = "ours"  # the program that is ours in it
