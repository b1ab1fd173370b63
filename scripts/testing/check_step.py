"""Building blocks of the steps that are not unit tests: scripts that count their checks, programs with expected output."""
import dataclasses
import re
import typing

import process
from gtest import describe_exit
from report import Outcome

_TAP = re.compile(r'^(ok|not ok|skip) - (.*)$', re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class CheckStep:
    """`items(root)` lists the names of the checks, for the filter. `run(items, builder, report)` runs the given ones."""
    name: str
    items: typing.Callable
    run: typing.Callable


def run_script(name, command, builder, report, timeout=600):
    """Runs a script that prints 'ok - …', 'not ok - …' or 'skip - …' per check. Without such lines it is one check."""
    report.progress(f'running {name} ...')
    log = builder.log(name)
    code, seconds = process.run(command, log, timeout, cwd=builder.root)
    lines = _TAP.findall(log.read_text(encoding='utf-8', errors='replace'))
    count = {word: sum(1 for w, _ in lines if w == word) for word in ('ok', 'not ok', 'skip')}
    notes = [f'{word}: {text}' for word, text in lines if word != 'ok']
    passed, failed = count['ok'], count['not ok']
    if code != 0:
        notes.append(describe_exit(code, timeout))
        failed = max(failed, 1)
    elif not lines:
        passed = 1
    skips = [text for word, text in lines if word == 'skip']
    report.add(Outcome(name, passed, failed, count['skip'], seconds, notes, log, skip_reasons=skips))


def missing_line(expected, output):
    """The first expected line that no line of the output contains, in order, or None."""
    lines = iter(output.splitlines())
    for wanted in (line.rstrip() for line in expected.splitlines() if line.strip()):
        if not any(wanted.strip() in line for line in lines):
            return wanted
    return None


def check_example(name, command, expected, timeout, builder, report):
    """Runs a program. It must exit with 0 and print the lines of the file `expected`, if that file exists."""
    report.progress(f'running {name} ...')
    log = builder.log(name)
    code, seconds = process.run(command, log, timeout)
    notes = []
    if code != 0:
        notes.append(describe_exit(code, timeout))
    elif expected.is_file():
        output = log.read_text(encoding='utf-8', errors='replace')
        wanted = missing_line(expected.read_text(encoding='utf-8'), output)
        if wanted is not None:
            notes.append(f'line of {expected.relative_to(builder.root)} is missing or out of order: {wanted}')
    report.add(Outcome(name, 0 if notes else 1, 1 if notes else 0, 0, seconds, notes, log))
