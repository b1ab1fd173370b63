"""What steps that are no unit tests are made of: scripts that count their checks, programs with expected output."""
import dataclasses
import re
import typing

import process
from gtest import describe_exit
from report import Outcome

_TAP = re.compile(r'^(ok|not ok|skip) - (.*)$', re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class CheckStep:
    """`items(root)` names what it checks (for the filter); `run(items, builder, report)` does it."""
    name: str
    items: typing.Callable
    run: typing.Callable


def run_script(name, command, builder, report, timeout=600):
    """A script that prints 'ok - …', 'not ok - …' or 'skip - …' per check; without such lines it is one check."""
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
    """The first expected text that does not stand in a line of the output, in order, or None."""
    lines = iter(output.splitlines())
    for wanted in (line.rstrip() for line in expected.splitlines() if line.strip()):
        if not any(wanted.strip() in line for line in lines):
            return wanted
    return None


def check_example(name, command, expected, limit, builder, report):
    """Runs a program; it must end well, and say the lines of the file `expected`, if there is one."""
    report.progress(f'running {name} ...')
    log = builder.log(name)
    code, seconds = process.run(command, log, limit)
    notes = []
    if code != 0:
        notes.append(describe_exit(code, limit))
    elif expected.is_file():
        output = log.read_text(encoding='utf-8', errors='replace')
        wanted = missing_line(expected.read_text(encoding='utf-8'), output)
        if wanted is not None:
            notes.append(f'this line of {expected.relative_to(builder.root)} is missing, or out of order: {wanted}')
    report.add(Outcome(name, 0 if notes else 1, 1 if notes else 0, 0, seconds, notes, log))
