"""Compares results with their targets."""

from dataclasses import dataclass

from measuring import Measured
from programs import OURS
from workloads import Target


@dataclass(frozen=True)
class TargetResult:
    target: Target
    text: str  # the target
    value: float | None  # the result or ratio that is compared
    word: str  # ok, MISS, n/a


def target_results(measured: Measured) -> list[TargetResult]:
    workload = measured.workload
    found = []
    for target in workload.targets:
        value = measured.ratio(target.against) if target.against else measured.value(OURS.name)
        word = "n/a" if value is None else "ok" if target.reached(value, workload.better) else "MISS"
        found.append(TargetResult(target, target.text(workload.better), value, word))
    return found
