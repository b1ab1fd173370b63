"""Whether what we measured reaches what we want."""

from dataclasses import dataclass

from measuring import Measured
from programs import OURS
from works import Target


@dataclass(frozen=True)
class Verdict:
    target: Target
    text: str  # the target
    value: float | None  # the figure or ratio it is about
    word: str  # ok, MISS, n/a


def verdicts(measured: Measured) -> list[Verdict]:
    work = measured.work
    found = []
    for target in work.targets:
        value = measured.ratio(target.against) if target.against else measured.value(OURS.name)
        word = "n/a" if value is None else "ok" if target.reached(value, work.better) else "MISS"
        found.append(Verdict(target, target.text(work.better), value, word))
    return found
