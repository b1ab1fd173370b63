"""The steps that run GoogleTest programs: build preset, programs and wrapper command of each step."""
import concurrent.futures
import dataclasses
import os
import subprocess

from build import JOBS
from gtest import run_program

CORE = ('unit_base', 'unit_context', 'unit_event', 'unit_scheduler')
# Programs that use several threads, or that test the ThreadSanitizer annotations of context switches.
THREADED = ('unit_context', 'unit_reactor', 'unit_scheduler', 'unit_runtime', 'unit_sync', 'unit_threads', 'unit_io',
            'unit_capi', 'unit_interpose', 'unit_pool', 'integration')
SWITCHING = ('unit_context', 'unit_scheduler')

_ASAN = 'strict_string_checks=1:check_initialization_order=1:detect_stack_use_after_return='
_VALGRIND = ('valgrind', '--quiet', '--error-exitcode=9', '--leak-check=full', '--errors-for-leak-kinds=definite',
             '--child-silent-after-fork=yes', '--suppressions=tests/checks/valgrind.supp')


@dataclasses.dataclass(frozen=True)
class GtestStep:
    name: str
    preset: str
    programs: tuple = ()  # names; empty: all
    wrapper: tuple = ()
    env: dict = dataclasses.field(default_factory=dict)
    timeout: int = 180  # seconds, per program
    exclude: str = ''  # gtest patterns that do not apply in this step
    fixed_addresses: bool = False  # disable address randomization, which the sanitizers of these compilers do not support
    also_builds: tuple = ()  # additional targets that must compile if no filter is given


STEPS = (
    GtestStep('release', 'release', also_builds=('all',)),
    GtestStep('asan-ubsan', 'asan-ubsan', env={'ASAN_OPTIONS': _ASAN + '0', 'UBSAN_OPTIONS': 'print_stacktrace=1'},
              timeout=400, fixed_addresses=True),
    GtestStep('asan-use-after-return', 'asan-ubsan', SWITCHING,
              env={'ASAN_OPTIONS': _ASAN + '1', 'UBSAN_OPTIONS': 'print_stacktrace=1'}, timeout=400,
              fixed_addresses=True),
    GtestStep('tsan', 'tsan', THREADED, env={'TSAN_OPTIONS': 'second_deadlock_stack=1:die_after_fork=0'}, timeout=400,
              fixed_addresses=True),
    GtestStep('clang', 'clang', (*CORE, 'unit_sync', 'unit_scope'),
              also_builds=('trueasync_shared', 'examples')),
    GtestStep('boost', 'boost', SWITCHING),
    GtestStep('aarch64', 'aarch64', ('unit_base', 'unit_context'), ('qemu-aarch64',), timeout=400),
    GtestStep('valgrind', 'release', CORE, _VALGRIND, timeout=600, exclude='*Death*:*Stress*'),
)


def without_randomization():
    command = ('setarch', '-R')
    works = subprocess.run([*command, 'true'], stderr=subprocess.DEVNULL, check=False).returncode == 0
    return command if works else ()


def _pattern(step, wanted):
    override = os.environ.get('TRUEASYNC_VALGRIND_FILTER') if step.name == 'valgrind' else None
    if override and wanted == '*':
        return override
    return f'{wanted}-{step.exclude}' if step.exclude else wanted


def wanted_programs(step, programs, selection):
    """Program name -> gtest filter, for the selected programs of this step."""
    wanted = {}
    for program in programs:
        if not step.programs or program.name in step.programs:
            pattern = selection.gtest_filter(step.name, program)
            if pattern:
                wanted[program.name] = pattern
    return wanted


def run_step(step, wanted, selection, builder, report):
    targets = list(wanted)
    if selection.wants_everything():
        targets += step.also_builds
    built = builder.build(step.preset, targets)
    prefix = [*(without_randomization() if step.fixed_addresses else ()), *step.wrapper]
    env = {'TRUEASYNC_TEST_STEP': step.name, **step.env}

    def run_one(name):
        full_name = f'{step.name}/{name}'
        report.progress(f'running {full_name} ...')
        command = [*prefix, builder.directory(step.preset) / 'bin' / name]
        pattern = _pattern(step, wanted[name])
        outcome = run_program(full_name, command, builder.log(full_name), step.timeout, env, pattern)
        if outcome.passed == 0 and outcome.failed == 0 and outcome.skipped == 0:
            if wanted[name] == '*' and not step.exclude:
                outcome.failed = 1
                outcome.notes.append('has no tests')
            else:
                return
        report.add(outcome)

    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        list(pool.map(run_one, [name for name in wanted if name in built]))
