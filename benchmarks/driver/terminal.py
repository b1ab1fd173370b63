"""The table on the terminal: a block per workload, a line per program."""

from measuring import Measured, Reading
from programs import OURS
from targets import target_results
from workloads import BASELINE

REASON_WIDTH = 100
COLUMNS = "  {:<16}{:>12}{:>21}{:>12}   {}"


def number(value: float) -> str:
    """Three significant digits, or all digits before the decimal point."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def span(reading: Reading) -> str:
    return f"{number(reading.least)} – {number(reading.most)}" if len(reading.results) > 1 else ""


def program_line(measured: Measured, name: str, target: str) -> str:
    reading = measured.readings[name]
    if reading.value is None:
        return COLUMNS.format(name, "n/a", "", "", reading.failure[:REASON_WIDTH]).rstrip()
    ratio = measured.ratio(name) if name != OURS.name else None
    cell = f"{ratio:.2f}" if ratio is not None else ""
    return COLUMNS.format(name, number(reading.value), span(reading), cell, target).rstrip()


def block(measured: Measured) -> str:
    workload = measured.workload
    targets = {v.target.against or OURS.name: f"{v.text}: {v.word}" for v in target_results(measured)}
    lines = [f"{workload.name} – {workload.what}", COLUMNS.format("", workload.unit, "min – max", "ours / peer", "target")]
    lines += [program_line(measured, name, targets.get(name, "")) for name in measured.readings]
    for name, reading in measured.readings.items():
        if reading.note and name in (OURS.name, BASELINE):
            lines.append(f"  {name}: {reading.note}")
    return "\n".join(lines) + "\n"


def summary(all_measured: list[Measured]) -> str:
    words = [(m.workload.name, v) for m in all_measured for v in target_results(m)]
    missed = [f"{name} {v.text}" for name, v in words if v.word == "MISS"]
    unknown = sum(v.word == "n/a" for _, v in words)
    text = f"targets: {sum(v.word == 'ok' for _, v in words)} ok, {len(missed)} missed, {unknown} n/a"
    return text + "".join(f"\n  MISS {line}" for line in missed)
