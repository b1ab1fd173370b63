"""Output files of ./bench: the JSON file and the tables of docs/benchmarks.md."""

import json
import os
import platform
import subprocess
from pathlib import Path

from measuring import Measured
from programs import BY_NAME, OURS
from terminal import number
from targets import target_results
from workloads import BASELINE

BEGIN = "<!-- bench:begin, written by ./bench --markdown -->"
END = "<!-- bench:end -->"


def write_json(path: Path, all_measured: list[Measured]) -> None:
    """Other programs read this file; its keys must not change."""
    entries = []
    for measured in all_measured:
        peers = {name: measured.value(name) for name in measured.readings if name not in (OURS.name, BASELINE)}
        entries.append({
            "work": measured.workload.name,
            "unit": measured.workload.unit,
            "ours": measured.value(OURS.name),
            "peers": {name: value for name, value in peers.items() if value is not None},
            "limit": measured.value(BASELINE),
        })
    path.write_text(json.dumps(entries, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def has_markers(path: Path) -> bool:
    """Whether the tables can be written: the file is new or contains both markers."""
    if not path.exists():
        return True
    text = path.read_text(encoding="utf-8", errors="replace")
    return BEGIN in text and END in text


def write_markdown(path: Path, all_measured: list[Measured], command: str) -> None:
    """Replaces the text between the markers, or writes a new file. Requires has_markers()."""
    text = path.read_text(encoding="utf-8") if path.exists() else f"{BEGIN}\n{END}\n"
    before, rest = text.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    body = "\n\n".join([setting(command), results_table(all_measured), targets_table(all_measured), *notes(all_measured)])
    path.write_text(f"{before}{BEGIN}\n{body}\n{END}{after}", encoding="utf-8")


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def cell(measured: Measured, name: str) -> str:
    if name not in measured.readings:
        return "–"
    value, ratio = measured.value(name), measured.ratio(name)
    if value is None:
        return "n/a"
    return f"{number(value)} ({ratio:.2f})" if ratio is not None else number(value)


def our_cell(measured: Measured) -> str:
    reading = measured.readings[OURS.name]
    if reading.value is None:
        return "n/a"
    if len(reading.results) == 1:
        return f"**{number(reading.value)}**"
    return f"**{number(reading.value)}** ({number(reading.least)}–{number(reading.most)})"


def results_table(all_measured: list[Measured]) -> str:
    used = {name for measured in all_measured for name in measured.readings}
    names = [name for name in BY_NAME if name in used and name != OURS.name]
    head = ["workload", "unit", "ours (min–max)", *(BY_NAME[n].title for n in names)]
    rows = [[f"`{m.workload.name}`", m.workload.unit, our_cell(m), *(cell(m, name) for name in names)] for m in all_measured]
    return table(head, rows) + "\n\nIn parentheses: ratio of our result to the peer's."


def targets_table(all_measured: list[Measured]) -> str:
    rows = []
    for measured in all_measured:
        for result in target_results(measured):
            got = "n/a" if result.value is None else number(result.value)
            rows.append([f"`{measured.workload.name}`", result.text, got, result.word])
    return table(["workload", "target", "result", ""], rows) if rows else "These workloads have no targets."


def notes(all_measured: list[Measured]) -> list[str]:
    lines = []
    failures: dict[tuple[str, str], list[str]] = {}
    for measured in all_measured:
        for name, reading in measured.readings.items():
            if reading.failure:
                failures.setdefault((name, reading.failure), []).append(f"`{measured.workload.name}`")
            elif reading.note:
                lines.append(f"- `{measured.workload.name}`, {BY_NAME[name].title}: {reading.note}")
    lines += [f"- {BY_NAME[name].title}, {', '.join(workloads)}: n/a, {why}" for (name, why), workloads in failures.items()]
    return ["Notes:\n" + "\n".join(lines)] if lines else []


def output_of(command: tuple[str, ...]) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def cpu_model() -> str:
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.machine()


def setting(command: str) -> str:
    """The command, the machine and the versions."""
    versions = [f"{p.title} {version}" for p in BY_NAME.values() if p.version and (version := output_of(p.version))]
    compiler = output_of(("g++", "-dumpfullversion"))
    return (f"`{command}` on {os.cpu_count()} cores of {cpu_model()}, Linux {platform.release()}, g++ {compiler} -O2; "
            f"each program on one core.\n\nDebian packages: {', '.join(versions)}.")
