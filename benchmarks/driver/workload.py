"""The types of the lists in workloads.py and php_workloads.py: workloads and their targets."""

from dataclasses import dataclass, field

BASELINE = "baseline"  # the minimal program that bounds what is possible


@dataclass(frozen=True)
class Target:
    """A bound for our result, or for its ratio to the result of a peer or the baseline."""

    bound: float
    against: str = ""  # a program; empty: the bound applies to the result itself
    strict: bool = False  # a result equal to the bound misses the target

    def text(self, better: str) -> str:
        sign = {"lower": "<" if self.strict else "≤", "higher": ">" if self.strict else "≥"}[better]
        if not self.against:
            return f"{sign} {self.bound:,g}"
        return f"{sign} {self.against}" if self.bound == 1 else f"{sign} {self.bound:g} × {self.against}"

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
    whole: tuple[str, ...] = ()  # programs that run the full count also with --quick
    scales: bool = True  # fast programs run more operations, for a stable result
    better: str = "lower"
    needs_gb: dict[str, float] = field(default_factory=dict)  # available memory that a program needs
    targets: tuple[Target, ...] = ()
    serve: str = ""  # argument that starts the program as a server; N is then the load's duration in milliseconds
    load: tuple[str, ...] = ()  # the load generator and its arguments
    database: str = ""  # server used by all programs, a name in databases.py
    ours: str = "ours"  # TrueAsync's program
