#!/usr/bin/env python3
"""./test runs builds and programs that detect errors hidden by a single build. Prints 'ok - …' per test."""
# TE-05
import json
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'scripts/testing'))
import gtest_steps  # noqa: E402
import result_lines  # noqa: E402


def presets():
    """Preset name -> cache variables, including inherited ones."""
    definitions = json.loads((ROOT / 'CMakePresets.json').read_text(encoding='utf-8'))['configurePresets']
    by_name = {preset['name']: preset for preset in definitions}

    def variables(preset):
        inherited = variables(by_name[preset['inherits']]) if 'inherits' in preset else {}
        own = {'toolchain': preset.get('toolchainFile'), **preset.get('cacheVariables', {})}
        return {**inherited, **{name: value for name, value in own.items() if value is not None}}

    return {name: variables(preset) for name, preset in by_name.items()}


def programs_with_threads():
    folders = [path for path in (ROOT / 'tests/unit').iterdir() if path.is_dir()]
    return {f'unit_{folder.name}' for folder in folders
            if any(re.search(r'\bstd::thread\b', file.read_text(encoding='utf-8')) for file in folder.glob('*.?pp'))}


class Builds(unittest.TestCase):
    def steps(self, accepts):
        variables = presets()
        return [step for step in gtest_steps.STEPS if accepts(variables[step.preset])]

    def test_every_program_runs_with_asan(self):
        found = self.steps(lambda preset: '-fsanitize=address' in preset.get('CMAKE_CXX_FLAGS', ''))
        self.assertTrue(any(not step.programs for step in found))

    def test_every_program_with_threads_runs_with_tsan(self):
        found = self.steps(lambda preset: '-fsanitize=thread' in preset.get('CMAKE_CXX_FLAGS', ''))
        covered = {program for step in found for program in step.programs}
        self.assertEqual(programs_with_threads() - covered, set())
        self.assertTrue(programs_with_threads())

    def test_a_step_uses_clang(self):
        self.assertTrue(self.steps(lambda preset: preset.get('CMAKE_CXX_COMPILER') == 'clang++'))

    def test_cpu_specific_code_runs_on_aarch64(self):
        found = self.steps(lambda preset: 'aarch64' in preset.get('toolchain', ''))
        self.assertTrue(any('unit_context' in step.programs for step in found))


if __name__ == '__main__':
    result_lines.main()
