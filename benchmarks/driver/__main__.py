"""./bench: builds the programs of TrueAsync and its peers, runs them interleaved and prints the results. See --help."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

import files
import terminal
from building import BuildError, Builder
from measuring import Measured, Measurer
from programs import BY_NAME, LOADS, OURS
from progress import Progress
from workloads import WORKLOADS, Workload, select_workloads

ROOT = Path(__file__).resolve().parents[2]


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./bench", description="Measures TrueAsync and its peers in the same run and prints the ratios.")
    parser.add_argument("filter", nargs="*", help="workloads to run, by name or part of a name; default: all")
    parser.add_argument("--quick", action="store_true", help="fewer rounds and operations: faster, less precise")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the results as a JSON list")
    parser.add_argument("--markdown", metavar="FILE", type=Path, help="write the tables to a Markdown file")
    parser.add_argument("--list", action="store_true", help="list the workloads and exit")
    parser.add_argument("--build-dir", metavar="DIR", type=Path, default=ROOT / "build" / "bench",
                        help="build directory (default: build/bench)")
    return parser.parse_args(arguments)


def fail(text: str) -> int:
    print(f"error: {text}", file=sys.stderr)
    return 2


def format_workloads() -> str:
    return "\n".join(f"  {workload.name:<15} {workload.unit:<7} {workload.what}" for workload in WORKLOADS)


def unwritable(path: Path | None) -> bool:
    """Checked first, so that a long measurement is not lost."""
    if path is None:
        return False
    return path.is_dir() or not os.access(path if path.exists() else path.absolute().parent, os.W_OK)


def install(progress: Progress) -> None:
    script = str(ROOT / "scripts" / "install-packages")
    progress.detail("checking packages")
    subprocess.run([script, "run"], check=True)
    if subprocess.run([script, "bench"], check=False).returncode != 0:
        progress.message("some packages of the peers could not be installed; their results are n/a")


def build(workloads: list[Workload], builder: Builder, progress: Progress) -> tuple[dict[str, list[str]], dict[str, str]]:
    """The commands of the programs that were built, and the reasons for those that were not."""
    needed = {workload.ours for workload in workloads}.union(*(workload.programs for workload in workloads))
    commands: dict[str, list[str]] = {}
    failures: dict[str, str] = {}
    for name, program in BY_NAME.items():
        if name not in needed:
            continue
        try:
            commands[name] = program.build(builder)
        except BuildError as error:
            failures[name] = f"not built: {error}"
            progress.message(f"{name}: not built: {error}")
    progress.clear()
    return commands, failures


def build_loads(workloads: list[Workload], builder: Builder, progress: Progress) -> dict[str, list[str]]:
    """The commands of the load generators."""
    loads = {}
    for name in {workload.load[0] for workload in workloads if workload.load}:
        try:
            loads[name] = LOADS[name](builder)
        except BuildError as error:
            progress.message(f"{name}: not available: {error}")
    progress.clear()
    return loads


def measure(workloads: list[Workload], measurer: Measurer, progress: Progress) -> list[Measured]:
    load = os.getloadavg()[0]
    if load > 0.7:
        progress.message(f"note: the machine is busy (load {load:.1f}); absolute results will vary, compare the ratios")
    all_measured = []
    for workload in workloads:
        measured = measurer.measure(workload)
        progress.clear()
        print(terminal.block(measured), flush=True)
        all_measured.append(measured)
    print(terminal.summary(all_measured))
    return all_measured


def main(arguments: list[str]) -> int:
    options = parse(arguments)
    if options.list:
        print(format_workloads())
        return 0
    workloads = select_workloads(options.filter)
    if not workloads:
        return fail(f"no workload matches {' '.join(options.filter)!r}; workloads:\n{format_workloads()}")
    for path in (options.json, options.markdown):
        if unwritable(path):
            return fail(f"{path}: not writable")
    if options.markdown and not files.has_markers(options.markdown):
        return fail(f"{options.markdown}: missing the marker lines around the tables:\n"
                    f"{files.BEGIN}\n{files.END}")

    progress = Progress()
    try:
        install(progress)
    except subprocess.CalledProcessError:
        return 1
    builder = Builder(ROOT, options.build_dir.absolute(), progress)
    commands, failures = build(workloads, builder, progress)
    measurer = Measurer(commands, failures, options.quick, progress, build_loads(workloads, builder, progress))
    all_measured = measure(workloads, measurer, progress)
    if options.json:
        files.write_json(options.json, all_measured)
    if options.markdown:
        command = ["./bench", *options.filter, *(["--quick"] if options.quick else [])]
        files.write_markdown(options.markdown, all_measured, " ".join(command))
    return 0 if all(measured.value(OURS.name) is not None for measured in all_measured) else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        sys.exit(130)
