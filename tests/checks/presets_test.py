#!/usr/bin/env python3
"""The test presets run builds and programs that detect errors hidden by a single build. Prints 'ok - …' per test."""
# TE-05
import json
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'scripts/testing'))
sys.path.insert(0, str(ROOT / 'scripts/ctest'))
import main as driver  # noqa: E402
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


def labels():
    """Program -> its labels, from the table in tests/CMakeLists.txt."""
    text = (ROOT / 'tests/CMakeLists.txt').read_text(encoding='utf-8')
    return {name: programs.split() for name, programs in re.findall(r'^set\(label_(\w+) ([^)]*)\)', text, re.MULTILINE)}


class Builds(unittest.TestCase):
    def steps(self, accepts):
        """The test presets of ./test whose build has the accepted variables: name -> label filter or None."""
        variables = presets()
        tests = {preset['name']: preset for preset in
                 json.loads((ROOT / 'CMakePresets.json').read_text(encoding='utf-8'))['testPresets']}
        return {name: tests[name].get('filter', {}).get('include', {}).get('label')
                for name, configured in driver.configure_presets().items() if accepts(variables[configured])}

    def test_every_program_runs_with_asan(self):
        found = self.steps(lambda preset: '-fsanitize=address' in preset.get('CMAKE_CXX_FLAGS', ''))
        self.assertIn(None, found.values())

    def test_every_program_with_threads_runs_with_tsan(self):
        found = self.steps(lambda preset: '-fsanitize=thread' in preset.get('CMAKE_CXX_FLAGS', ''))
        self.assertEqual(found, {'tsan': '^threads$'})
        self.assertEqual(programs_with_threads() - set(labels()['threads']), set())
        self.assertTrue(programs_with_threads())

    def test_a_preset_uses_clang(self):
        self.assertTrue(self.steps(lambda preset: preset.get('CMAKE_CXX_COMPILER') == 'clang++'))

    def test_cpu_specific_code_runs_on_aarch64(self):
        found = self.steps(lambda preset: 'aarch64' in preset.get('toolchain', ''))
        self.assertEqual(found, {'aarch64': None})
        self.assertIn('context', presets()['aarch64']['TRUEASYNC_ONLY_MODULES'].split(';'))

    def test_sanitizers_run_without_address_randomization(self):
        launcher = presets()['tsan']['CMAKE_CROSSCOMPILING_EMULATOR'].replace('${sourceDir}', str(ROOT))
        done = subprocess.run([launcher, 'sh', '-c', 'exit 7'], check=False)
        self.assertEqual(done.returncode, 7)


if __name__ == '__main__':
    result_lines.main()
