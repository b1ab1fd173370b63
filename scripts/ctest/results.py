"""Counts the checks of a CTest run: every GoogleTest case and every 'ok - …' line of a script counts, not only programs."""
import collections
import dataclasses
import re
import xml.etree.ElementTree as ElementTree

_GTEST = re.compile(r'^\[\s*(OK|FAILED|SKIPPED)\s*\] ([\w/.]+)(?:, where .*)? \(\d+ ms\)', re.MULTILINE)
_STARTED = re.compile(r'^\[ RUN      \] ([\w/.]+)', re.MULTILINE)
_LINE = re.compile(r'^(ok|not ok|skip) - (.*)$', re.MULTILINE)
_SKIP_LOCATION = re.compile(r'^\S+:\d+(: Skipped)?$')
NO_REASON = 'no reason given'


@dataclasses.dataclass
class Result:
    name: str  # preset/test
    passed: int = 0
    failed: list = dataclasses.field(default_factory=list)  # names or reasons
    skipped: list = dataclasses.field(default_factory=list)  # reasons
    seconds: float = 0.0
    output: str = ''


def _skip_reason(text):
    """The message of GTEST_SKIP(), without the source location that GoogleTest prepends."""
    return ' '.join(line.strip() for line in text.splitlines() if not _SKIP_LOCATION.match(line.strip())).strip()


def _count_gtest(text, result):
    """A test that started and did not finish has failed."""
    ended = {name: word for word, name in _GTEST.findall(text)}
    for name in dict.fromkeys([*_STARTED.findall(text), *ended]):
        word = ended.get(name, 'FAILED')
        if word == 'OK':
            result.passed += 1
        elif word == 'FAILED':
            result.failed.append(name)
        else:
            section = text.partition(f'[ RUN      ] {name}\n')[2].partition(f'[  SKIPPED ] {name} ')[0]
            result.skipped.append(_skip_reason(section))


def _count_lines(text, result):
    for word, rest in _LINE.findall(text):
        if word == 'ok':
            result.passed += 1
        elif word == 'skip':
            result.skipped.append(rest)
        else:
            result.failed.append(rest)


def read_case(preset, case):
    """Result of one <testcase> of CTest's JUnit file."""
    output = case.findtext('system-out') or ''
    result = Result(f'{preset}/{case.get("name")}', seconds=float(case.get('time') or 0), output=output)
    (_count_gtest if '[==========]' in output else _count_lines)(output, result)
    status, skip = case.get('status'), case.find('skipped')
    if status == 'notrun' or skip is not None:
        message = skip.get('message') if skip is not None else ''
        if message.startswith('SKIP_'):
            result.skipped.append(output.strip().splitlines()[-1] if output.strip() else message)
        else:
            result.failed.append(f'could not run: {message or "a file that it needs is missing"}')
    elif status == 'fail' and not result.failed:
        failure = case.find('failure')
        result.failed.append((failure.get('message') if failure is not None else '') or 'failed')
    elif not result.passed and not result.failed and not result.skipped:
        result.passed = 1  # a command that prints no such line is one check
    return result


def read_results(preset, path):
    """The results of a JUnit file that ctest --output-junit wrote."""
    return [read_case(preset, case) for case in ElementTree.parse(path).getroot().iter('testcase')]


def totals(results):
    return (sum(r.passed for r in results), sum(len(r.failed) for r in results), sum(len(r.skipped) for r in results))


def summary(passed, failed, skipped):
    text = f'{passed} passed, {failed} failed'
    return f'{text}, {skipped} skipped' if skipped else text


def duration(seconds):
    minutes, rest = divmod(round(seconds), 60)
    return f'{minutes} min {rest} s' if minutes else f'{rest} s'


def skip_lines(results):
    """One line per reason, most frequent first: number of skipped tests, reason, presets."""
    counts, presets = collections.Counter(), {}
    for result in results:
        for reason in (' '.join(text.split()) or NO_REASON for text in result.skipped):
            counts[reason] += 1
            presets.setdefault(reason, {})[result.name.partition('/')[0]] = None
    return [f'skipped {count}: {reason} ({", ".join(presets[reason])})' for reason, count in counts.most_common()]


def slowest_line(results, count=8):
    slow = sorted(results, key=lambda result: -result.seconds)[:count]
    return 'slowest: ' + ', '.join(f'{result.name} {duration(result.seconds)}' for result in slow)
