"""Configures and builds presets; each preset is configured once per run."""
import os
import re

import process
from report import Outcome

JOBS = int(os.environ.get('TRUEASYNC_JOBS') or os.cpu_count() or 1)
CONFIGURE_TIMEOUT = 120
BUILD_TIMEOUT = 1800
_PROGRESS = re.compile(r'^\[\d+/\d+\]')


class Builder:
    def __init__(self, root, report):
        self.root = root
        self._report = report
        self._configured = {}

    def directory(self, preset):
        return self.root / 'build' / preset

    def log(self, name):
        return self.root / 'build/logs' / (re.sub(r'[^\w.-]+', '-', name) + '.log')

    def _configure(self, preset):
        if preset not in self._configured:
            self._report.progress(f'configuring {preset} ...')
            command = ['cmake', '--preset', preset, '-DTRUEASYNC_BUILD_TESTS=ON',
                       f'-DTRUEASYNC_BUILD_EXAMPLES={"ON" if preset in ("release", "clang") else "OFF"}']
            log = self.log(f'configure-{preset}')
            code, seconds = process.run(command, log, CONFIGURE_TIMEOUT, cwd=self.root)
            if code != 0:  # the build directory was moved or is incomplete
                code, seconds = process.run([*command, '--fresh'], log, CONFIGURE_TIMEOUT, cwd=self.root)
            self._configured[preset] = code == 0
            if code != 0:
                notes = [f'cmake could not configure {preset}']
                self._report.add(Outcome(f'{preset}/configure', 0, 1, 0, seconds, notes, log))
        return self._configured[preset]

    def build(self, preset, targets):
        """Builds the targets and returns those that succeeded. Each target that fails is one failure in the report."""
        if not self._configure(preset):
            return []
        directory = self.directory(preset)
        log = self.log(f'build-{preset}')

        def show(line):
            if _PROGRESS.match(line):
                self._report.progress(f'building {preset} {line}')

        command = ['ninja', '-C', directory, '-k', '0', f'-j{JOBS}', *targets]
        code, seconds = process.run(command, log, BUILD_TIMEOUT, on_line=show)
        if code == 0:
            return list(targets)
        fresh = [target for target in targets if target != 'all' and self._builds(directory, target)]
        broken = [target for target in targets if target not in fresh]
        notes = ['does not build: ' + ' '.join(broken)]
        self._report.add(Outcome(f'{preset}/build', 0, max(1, len(broken)), 0, seconds, notes, self._errors(log)))
        return fresh

    def _builds(self, directory, target):
        """Whether one target is complete after a failed build, which built everything it could (-k 0)."""
        command = ['ninja', '-C', directory, f'-j{JOBS}', target]
        return process.run(command, self.log('build-one-target'), BUILD_TIMEOUT)[0] == 0

    @staticmethod
    def _errors(log):
        """A copy of a build log without the progress lines."""
        short = log.with_suffix('.errors.log')
        lines = log.read_text(encoding='utf-8', errors='replace').splitlines()
        short.write_text('\n'.join(line for line in lines if not _PROGRESS.match(line)) + '\n', encoding='utf-8')
        return short
