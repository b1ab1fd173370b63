"""Runs the programs interleaved, pinned to one core, and collects their results."""

import os
import signal
import statistics
import subprocess
from dataclasses import dataclass, field

from databases import DatabaseError, database
from programs import BY_NAME, OURS, Program
from progress import Progress
from serving import ServeError, Server, run_load
from workloads import Workload

TIMEOUT_SECONDS = 120


class RunError(Exception):
    """A program printed no result; the message is the reason."""


@dataclass
class Reading:
    """Results of one program for one workload, one per round, or the reason for a failure."""

    results: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # one per result
    failure: str = ""

    @property
    def value(self) -> float | None:
        return None if self.failure or not self.results else statistics.median(self.results)

    @property
    def note(self) -> str:
        """The note of the round nearest to the median."""
        value = self.value
        if value is None:
            return ""
        return self.notes[min(range(len(self.results)), key=lambda i: abs(self.results[i] - value))]

    @property
    def least(self) -> float:
        return min(self.results)

    @property
    def most(self) -> float:
        return max(self.results)


@dataclass
class Measured:
    workload: Workload
    readings: dict[str, Reading]  # by program name, starting with ours

    def value(self, program: str) -> float | None:
        reading = self.readings.get(program)
        return reading.value if reading else None

    def ratio(self, program: str) -> float | None:
        """Ratio of our result to the program's."""
        ours, other = self.value(OURS.name), self.value(program)
        return ours / other if ours is not None and other else None


def available_gb() -> float:
    with open("/proc/meminfo", encoding="ascii") as lines:
        for line in lines:
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) / 1024**2
    return float("inf")


def failure_text(process: subprocess.CompletedProcess) -> str:
    if process.returncode < 0:
        return f"killed by {signal.Signals(-process.returncode).name}"
    lines = [line for line in process.stderr.splitlines() if line.strip()]
    return lines[-1].strip() if lines else f"exit code {process.returncode}"


def parse_results(output: str) -> tuple[float, str]:
    """The RESULT and the NOTEs in a program's output."""
    results = [line.split()[1] for line in output.splitlines() if line.startswith("RESULT ")]
    notes = [line.removeprefix("NOTE ") for line in output.splitlines() if line.startswith("NOTE ")]
    if len(results) != 1:
        raise RunError(f"expected one RESULT line, got {len(results)}")
    return float(results[0]), "; ".join(notes)


class Measurer:
    def __init__(self, commands: dict[str, list[str]], failures: dict[str, str], quick: bool, progress: Progress,
                 loads: dict[str, list[str]] | None = None):
        self._commands = commands
        self._loads = loads or {}
        self._build_failures = failures
        self._quick = quick
        self._progress = progress
        self._core = max(os.sched_getaffinity(0))
        self._environment: dict[str, str] = {}

    def measure(self, workload: Workload) -> Measured:
        names = [OURS.name, *workload.programs]
        failures = {name: self._build_failures.get(self._program(workload, name).name, "") for name in names}
        readings = {name: Reading(failure=failure) for name, failure in failures.items()}
        for name, needed in workload.needs_gb.items():
            if needed > available_gb():
                readings[name].failure = f"needs {needed:g} GB of memory, {available_gb():.1f} GB available"
        try:
            with database(workload.database) as self._environment:
                self._measure_rounds(workload, names, readings)
        except DatabaseError as error:
            for reading in readings.values():
                reading.failure = str(error)
        return Measured(workload, readings)

    def _measure_rounds(self, workload: Workload, names: list[str], readings: dict[str, Reading]) -> None:
        rounds = workload.quick_rounds if self._quick else workload.rounds
        for number in range(rounds):
            # Rotate the order, so that the first program of a round varies.
            first = number % len(names)
            for name in names[first:] + names[:first]:
                if readings[name].failure:
                    continue
                self._progress.detail(f"{workload.name}: round {number + 1} of {rounds}: {name}")
                self._take(workload, self._program(workload, name), readings[name])

    @staticmethod
    def _program(workload: Workload, name: str) -> Program:
        return BY_NAME[workload.ours if name == OURS.name else name]

    def _take(self, workload: Workload, program: Program, reading: Reading) -> None:
        try:
            result, note = self._run(workload, program)
            reading.results.append(result)
            reading.notes.append(note)
        except RunError as error:
            reading.failure = str(error)

    def _serve(self, workload: Workload, program: Program, milliseconds: int) -> tuple[float, str]:
        tool, *arguments = workload.load
        if tool not in self._loads:
            raise RunError(f"load generator {tool} is not available")
        load = [*self._loads[tool], *(word.replace("{milliseconds}", str(milliseconds)) for word in arguments)]
        try:
            with Server([*self._commands[program.name], workload.serve], program.environment) as server:
                return parse_results(run_load(server, load, TIMEOUT_SECONDS))
        except ServeError as error:
            raise RunError(str(error)) from error

    def _run(self, workload: Workload, program: Program) -> tuple[float, str]:
        count = self._count(workload, program)
        if workload.serve:
            return self._serve(workload, program, count)
        command = ["taskset", "-c", str(self._core), *self._commands[program.name], workload.name]
        try:
            environment = {**os.environ, **program.environment, **self._environment, "N": str(count)}
            process = subprocess.run(command, env=environment, text=True, errors="replace", stdin=subprocess.DEVNULL,
                                     capture_output=True, timeout=TIMEOUT_SECONDS, check=False)
        except subprocess.TimeoutExpired as error:
            raise RunError(f"no result after {TIMEOUT_SECONDS} s") from error
        except OSError as error:
            raise RunError(str(error)) from error
        if process.returncode != 0 or "RESULT " not in process.stdout:
            raise RunError(failure_text(process))
        return parse_results(process.stdout)

    def _count(self, workload: Workload, program: Program) -> int:
        count = workload.quick_count if self._quick and program.name not in workload.whole else workload.count
        return count * program.factor if workload.scales else count
