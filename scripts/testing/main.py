"""./test: runs the selected steps, prints one line per item, then the skip reasons, the duration and the totals."""
import os
import pathlib
import signal
import sys
import time

import check_steps
import environment
import gtest_steps
import process
from build import Builder
from names import Selection, find_programs
from report import Outcome, Report

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def plan_checks(steps, selection):
    """(step, selected items) of the steps that have selected items."""
    plan = []
    for step in steps:
        items = [item for item in step.items(ROOT) if selection.wants(f'{step.name}/{item}')]
        if items:
            plan.append((step, items))
    return plan


def plan_gtests(programs, selection):
    plan = ((step, gtest_steps.wanted_programs(step, programs, selection)) for step in gtest_steps.STEPS)
    return [(step, wanted) for step, wanted in plan if wanted]


def print_names(early, gtests, late):
    for step, items in early + late:
        print('\n'.join(f'{step.name}/{item}'.rstrip('/') for item in items))
    for step, wanted in gtests:
        print('\n'.join(f'{step.name}/{name}' for name in wanted))


def run_guarded(report, name, function):
    """Reports an exception of a step as a failure and continues with the next step."""
    started = time.monotonic()
    try:
        function()
    except Exception as error:  # pylint: disable=broad-except
        seconds = time.monotonic() - started
        report.add(Outcome(name, 0, 1, 0, seconds, [f'{type(error).__name__}: {error}']))


def running_seconds():
    """Seconds since the process started. This includes the installation of packages, because ./test execs this program."""
    fields = pathlib.Path('/proc/self/stat').read_text(encoding='utf-8').rpartition(')')[2].split()
    return time.clock_gettime(time.CLOCK_BOOTTIME) - int(fields[19]) / os.sysconf('SC_CLK_TCK')


def main(arguments):
    unknown = [word for word in arguments if word.startswith('-') and word != '--list']
    if unknown:
        print(f'error: unknown option {unknown[0]}; see ./test --help', file=sys.stderr)
        return 2
    words = [word for word in arguments if word != '--list']
    selection = Selection(words)
    early, late = (plan_checks(steps, selection) for steps in (check_steps.EARLY, check_steps.LATE))
    gtests = plan_gtests(find_programs(ROOT), selection)
    if not early and not late and not gtests:
        print(f'error: no step or test name contains {" and ".join(repr(w) for w in words)}; '
              './test --list prints the names', file=sys.stderr)
        return 2
    if '--list' in arguments:
        print_names(early, gtests, late)
        return 0

    if not pathlib.Path('/proc/self/fd').is_dir():
        print('error: /proc is not mounted; run mount -t proc proc /proc', file=sys.stderr)
        return 2
    environment.prepare()
    report = Report(ROOT)
    builder = Builder(ROOT, report)
    for step, items in early:
        run_guarded(report, step.name, lambda: step.run(items, builder, report))
    for step, wanted in gtests:
        run_guarded(report, step.name, lambda: gtest_steps.run_step(step, wanted, selection, builder, report))
    for step, items in late:
        run_guarded(report, step.name, lambda: step.run(items, builder, report))
    report.progress('')
    passed, failed, skipped = report.totals()
    if passed + failed + skipped == 0:
        print('error: no selected test can run on this machine', file=sys.stderr)
        return 2
    report.close(running_seconds())
    return 1 if failed else 0


if __name__ == '__main__':
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, process.stop_all)
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        print('\ninterrupted', file=sys.stderr)
        sys.exit(130)
