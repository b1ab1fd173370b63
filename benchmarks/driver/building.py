"""Builds the programs. Each function returns the command that runs the program, or raises BuildError."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from progress import Progress


class BuildError(Exception):
    """A program could not be built; the message is the reason."""


def reason_in(log: str) -> str:
    """The most informative line of a build log: the first error, or the last line."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    errors = [line for line in lines if re.search(r"\berror(\[\w+\])?:|CMake Error", line)]
    return (errors or lines[-1:] or ["no message"])[0]


class Builder:
    def __init__(self, root: Path, build: Path, progress: Progress):
        self.root = root
        self.build = build
        self._progress = progress
        self._configured: bool | None = None
        self._configure_reason = ""

    def native(self, target: str, packages: str = "") -> list[str]:
        """A target of benchmarks/CMakeLists.txt."""
        self._configure()
        binary_dir = self.build / "native"
        targets = self._output(["ninja", "-C", str(binary_dir), "-t", "targets", "all"])
        if f"{target}: phony" not in targets:
            raise BuildError(f"not available, needs {packages}" if packages else "not available for this CPU")
        self._run(target, ["ninja", "-C", str(binary_dir), target])
        return [str(binary_dir / "benchmarks" / target)]

    def go(self, source: Path) -> list[str]:
        program = self.build / "bench_go"
        environment = {"GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOTOOLCHAIN": "local",
                       "GOCACHE": str(self.build / "go-cache")}
        self._run("bench_go", [self._tool("go", "golang-go"), "build", "-o", str(program), "."], source, environment)
        return [str(program)]

    def cargo(self, source: Path, name: str) -> list[str]:
        """Builds a copy of the sources, because cargo writes its lock file next to them."""
        copy = self.build / "tokio"
        shutil.copytree(source, copy, dirs_exist_ok=True)
        environment = {"CARGO_HOME": str(self.build / "cargo-home"), "CARGO_TARGET_DIR": str(copy / "target"),
                       "RUSTC": self._tool("rustc", "rustc")}
        command = [self._tool("cargo", "cargo"), "build", "--release", "--offline", "--config", "debian_crates.toml"]
        self._run(name, command, copy, environment)
        return [str(copy / "target" / "release" / name)]

    def node(self, script: Path) -> list[str]:
        return [self._tool("node", "nodejs"), str(script)]

    def php(self, script: Path, with_extension: bool, modules: tuple[str, ...] = ()) -> list[str]:
        """A PHP script with the given PHP modules, run without php.ini: no debugger, no opcache."""
        command = [self._tool("php", "php8.2-cli"), "-n", "-d", "memory_limit=-1"]
        for module in modules:
            command += ["-d", f"extension={module}"]
        if with_extension:
            self._configure()
            directory = self.build / "native"
            if "true_async: phony" not in self._output(["ninja", "-C", str(directory), "-t", "targets", "all"]):
                raise BuildError("not available, needs php8.2-dev")
            self._run("true_async", ["ninja", "-C", str(directory), "true_async"])
            command += ["-d", f"extension={directory / 'php' / 'true_async.so'}"]
        return [*command, str(script)]

    def script(self, script: Path, tool: str, package: str) -> list[str]:
        """A Python script that runs a tool, which is its first argument."""
        return [self._tool("python3", "python3"), "-B", str(script), self._tool(tool, package)]

    @staticmethod
    def _tool(name: str, package: str) -> str:
        # Prefer Debian's version: Debian's crates are built for Debian's compiler.
        found = shutil.which(name, path="/usr/bin:/usr/sbin") or shutil.which(name)
        if found is None:
            raise BuildError(f"{name} is not installed (Debian package {package})")
        return found

    def _configure(self) -> None:
        if self._configured is None:
            try:
                self._run("cmake", self._configure_command(), self.root)
                self._configured = True
            except BuildError as error:
                self._configured = False
                self._configure_reason = str(error)
        if not self._configured:
            raise BuildError(self._configure_reason)

    def _configure_command(self) -> list[str]:
        binary_dir = self.build / "native"
        cache = binary_dir / "CMakeCache.txt"
        command = ["cmake", "--preset", "release", "-S", str(self.root), "-B", str(binary_dir),
                   "-DTRUEASYNC_BUILD_BENCH=ON", "-DTRUEASYNC_BUILD_TESTS=OFF", "-DTRUEASYNC_BUILD_EXAMPLES=OFF"]
        # Reconfigure from scratch if the tree was moved.
        source_line = f"CMAKE_HOME_DIRECTORY:INTERNAL={self.root}"
        if cache.exists() and source_line not in cache.read_text(errors="replace").splitlines():
            command.append("--fresh")
        return command

    @staticmethod
    def _output(command: list[str]) -> str:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout

    def _run(self, what: str, command: list[str], cwd: Path | None = None, environment: dict | None = None) -> None:
        """Runs a build command. Its output goes to a log and to the progress line."""
        self._progress.step(f"building: {what}")
        log_path = self.build / "logs" / f"{what}.log"
        log_path.parent.mkdir(parents=True, exist_ok=True)
        with log_path.open("w") as log:
            process = subprocess.Popen(command, cwd=cwd, env={**os.environ, **(environment or {})}, text=True,
                                       errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT)
            for line in process.stdout:
                log.write(line)
                self._progress.detail(f"building: {what}: {line.strip()}")
        if process.wait() != 0:
            raise BuildError(f"{reason_in(log_path.read_text())} (log: {os.path.relpath(log_path)})")
