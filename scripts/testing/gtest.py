"""Runs one GoogleTest program and counts its tests, even if it crashes before the end."""
import re
import xml.etree.ElementTree as ElementTree

import process
from report import Outcome

_LINE = re.compile(r'\[\s*(OK|FAILED|SKIPPED)\s*\] ([\w/.]+)(?:, where .*)? \(\d+ ms\)')
_STARTED = re.compile(r'\[ RUN      \] ([\w/.]+)')
_SKIP_LOCATION = re.compile(r'^\S+:\d+(: Skipped)?$')


def _skip_reason(text):
    """The message of GTEST_SKIP(), without the source location that GoogleTest prepends."""
    return ' '.join(line.strip() for line in text.splitlines() if not _SKIP_LOCATION.match(line.strip())).strip()


def count_xml(path):
    """(passed, names of failed, {name of skipped: reason}) of a result file, or None if it is missing or incomplete."""
    try:
        cases = list(ElementTree.parse(path).getroot().iter('testcase'))
    except (OSError, ElementTree.ParseError):
        return None
    passed, failed, skipped = 0, [], {}
    for case in cases:
        name = f'{case.get("classname")}.{case.get("name")}'
        if case.get('status') == 'notrun':
            continue
        if case.find('failure') is not None:
            failed.append(name)
        elif case.find('skipped') is not None:
            skipped[name] = _skip_reason(case.find('skipped').get('message') or '')
        else:
            passed += 1
    return passed, failed, skipped


def count_text(text):
    """The same from the program's output. A test that started and did not finish has failed."""
    ended = {}
    for word, name in _LINE.findall(text):
        ended[name] = word
    crashed = [name for name in dict.fromkeys(_STARTED.findall(text)) if name not in ended]
    by_word = {word: [name for name, w in ended.items() if w == word] for word in ('OK', 'FAILED', 'SKIPPED')}
    skipped = {name: _skip_reason(_between(text, f'[ RUN      ] {name}\n', f'[  SKIPPED ] {name} '))
               for name in by_word['SKIPPED']}
    return len(by_word['OK']), by_word['FAILED'] + crashed, skipped


def _between(text, start, end):
    return text.partition(start)[2].partition(end)[0]


def describe_exit(code, timeout):
    if code is None:
        return f'timed out after {timeout} s'
    return f'killed by signal {-code}' if code < 0 else f'exit code {code}'


def run_program(name, command, log, timeout, env, gtest_filter):
    """Outcome of `command`, a GoogleTest program with its wrapper. A nonzero exit without a failed test counts as one
    failure."""
    result = log.with_suffix('.xml')
    result.unlink(missing_ok=True)
    arguments = [f'--gtest_output=xml:{result}', '--gtest_color=no', f'--gtest_filter={gtest_filter}']
    code, seconds = process.run([*command, *arguments], log, timeout, env)
    counts = count_xml(result) if code is not None else None
    if counts is None:
        counts = count_text(log.read_text(encoding='utf-8', errors='replace'))
    passed, failed, skipped = counts
    notes = [f'failed: {test}' for test in failed] or [f'skipped: {test}: {reason}' for test, reason in skipped.items()]
    failures = len(failed)
    if code != 0:
        notes.append(describe_exit(code, timeout))
        failures = max(failures, 1)
    return Outcome(name, passed, failures, len(skipped), seconds, notes, log, failed, list(skipped.values()))
