"""./bench: builds us and the peers, runs them interleaved, prints what came out. See --help."""

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
from workloads import WORKLOADS, Workload, chosen

ROOT = Path(__file__).resolve().parents[2]


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./bench", description="Measures TrueAsync beside its peers, in one go, and prints the ratios.")
    parser.add_argument("filter", nargs="*", help="workloads to run, by name or part of it; without one all are run")
    parser.add_argument("--quick", action="store_true", help="fewer rounds and operations: minutes, less exact")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the figures as a JSON list")
    parser.add_argument("--markdown", metavar="FILE", type=Path, help="write the tables into a page")
    parser.add_argument("--list", action="store_true", help="list the workloads and end")
    parser.add_argument("--build-dir", metavar="DIR", type=Path, default=ROOT / "build" / "bench",
                        help="where to build (build/bench)")
    return parser.parse_args(arguments)


def fail(text: str) -> int:
    print(f"error: {text}", file=sys.stderr)
    return 2


def works_text() -> str:
    return "\n".join(f"  {workload.name:<15} {workload.unit:<7} {workload.what}" for workload in WORKLOADS)


def unwritable(path: Path | None) -> bool:
    """Known before the minutes of measuring, not after them."""
    if path is None:
        return False
    return path.is_dir() or not os.access(path if path.exists() else path.absolute().parent, os.W_OK)


def install(progress: Progress) -> None:
    script = str(ROOT / "scripts" / "install-packages")
    progress.detail("looking for missing packages")
    subprocess.run([script, "run"], check=True)
    if subprocess.run([script, "bench"], check=False).returncode != 0:
        progress.message("not all packages of the peers could be installed; what is missing shows as n/a")


def build(workloads: list[Workload], builder: Builder, progress: Progress) -> tuple[dict[str, list[str]], dict[str, str]]:
    """The commands of what could be built, and the reasons of what could not."""
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
            progress.message(f"{name} is not built: {error}")
    progress.clear()
    return commands, failures


def build_loads(workloads: list[Workload], builder: Builder, progress: Progress) -> dict[str, list[str]]:
    """The commands of what puts servers under load."""
    loads = {}
    for name in {workload.load[0] for workload in workloads if workload.load}:
        try:
            loads[name] = LOADS[name](builder)
        except BuildError as error:
            progress.message(f"{name} is not there: {error}")
    progress.clear()
    return loads


def measure(workloads: list[Workload], measurer: Measurer, progress: Progress) -> list[Measured]:
    load = os.getloadavg()[0]
    if load > 0.7:
        progress.message(f"note: the machine is busy (load {load:.1f}); figures will vary, look at the ratios")
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
        print(works_text())
        return 0
    workloads = chosen(options.filter)
    if not workloads:
        return fail(f"no workload fits {' '.join(options.filter)!r}. The workloads are:\n{works_text()}")
    for path in (options.json, options.markdown):
        if unwritable(path):
            return fail(f"{path} can't be written")
    if options.markdown and not files.has_place(options.markdown):
        return fail(f"{options.markdown} has no place for the tables, which is between these lines:\n"
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
