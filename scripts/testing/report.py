"""The results of the steps: counts, one line per item on the terminal, and the relevant part of the log of a failure."""
import collections
import dataclasses
import pathlib
import sys
import threading

from excerpt import excerpt

NO_REASON = 'no reason given'


@dataclasses.dataclass
class Outcome:
    name: str  # step/item
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0
    notes: list = dataclasses.field(default_factory=list)  # human-readable, one line each
    log: pathlib.Path | None = None
    failed_tests: list = dataclasses.field(default_factory=list)
    skip_reasons: list = dataclasses.field(default_factory=list)  # one per skipped test


def summary(passed, failed, skipped):
    text = f'{passed} passed, {failed} failed'
    return f'{text}, {skipped} skipped' if skipped else text


def duration(seconds):
    minutes, rest = divmod(round(seconds), 60)
    return f'{minutes} min {rest} s' if minutes else f'{rest} s'


def skip_lines(outcomes):
    """One line per reason, most frequent first: number of skipped tests, reason, steps."""
    counts, steps = collections.Counter(), {}
    for outcome in outcomes:
        reasons = [' '.join(reason.split()) or NO_REASON for reason in outcome.skip_reasons[:outcome.skipped]]
        reasons += [NO_REASON] * (outcome.skipped - len(reasons))
        counts.update(reasons)
        for reason in reasons:
            steps.setdefault(reason, {})[outcome.name.partition('/')[0]] = None
    return [f'skipped {count}: {reason} ({", ".join(steps[reason])})' for reason, count in counts.most_common()]


class Report:
    """Collects outcomes and prints each one when it is added. Thread safety: any thread may call."""

    def __init__(self, root, stream=sys.stdout):
        self.outcomes = []
        self._root = root
        self._stream = stream
        self._lock = threading.Lock()
        self._is_terminal = stream.isatty()

    def progress(self, text):
        """Prints a line that the next line replaces. Does nothing if the output is not a terminal."""
        if self._is_terminal:
            with self._lock:
                self._stream.write(f'\r\033[K{text[:110]}')
                self._stream.flush()

    def add(self, outcome):
        with self._lock:
            self.outcomes.append(outcome)
            if self._is_terminal:
                self._stream.write('\r\033[K')
            word = 'FAIL' if outcome.failed else 'ok  ' if outcome.passed else 'skip'
            counts = summary(outcome.passed, outcome.failed, outcome.skipped)
            print(f'{word}  {outcome.name:<40} {counts:<34} {outcome.seconds:7.1f} s', file=self._stream)
            if outcome.failed:
                self._print_failure(outcome)
            elif outcome.skipped:
                self._print_indented(outcome.notes)
            self._stream.flush()

    def _print_failure(self, outcome):
        self._print_indented(outcome.notes)
        if outcome.log and outcome.log.is_file():
            text = outcome.log.read_text(encoding='utf-8', errors='replace')
            lines = excerpt(text, outcome.failed_tests)
            self._print_indented([f'--- from {outcome.log.relative_to(self._root)} ---', *lines, '---'])

    def _print_indented(self, lines):
        for line in lines:
            print(f'        {line}', file=self._stream)

    def totals(self):
        return tuple(sum(getattr(o, field) for o in self.outcomes) for field in ('passed', 'failed', 'skipped'))

    def close(self, seconds):
        """Prints the last lines: skip reasons, duration and totals."""
        lines = [*skip_lines(self.outcomes), f'took {duration(seconds)}', summary(*self.totals())]
        print('\n'.join(lines), file=self._stream, flush=True)
