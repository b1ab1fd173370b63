"""Runs a command with output to a log file and a timeout for its whole process group."""
import os
import signal
import subprocess
import threading
import time

_running = set()
_lock = threading.Lock()
_stopping = threading.Event()


def _kill_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def stop_all(*_):
    """Signal handler of an interrupted run: kills every running process group and prevents new ones."""
    _stopping.set()
    for process in list(_running):
        _kill_group(process)
    raise KeyboardInterrupt


def run(command, log, timeout, env=None, cwd=None, on_line=None):
    """(exit code, or None after a timeout; seconds). `on_line` is called with each line of output."""
    log.parent.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    if _stopping.is_set():
        return None, 0.0
    with open(log, 'wb') as file:
        output = subprocess.PIPE if on_line else file
        process = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT, env={**os.environ, **(env or {})}, cwd=cwd,
                                   start_new_session=True)
        with _lock:
            _running.add(process)
        timer = threading.Timer(timeout, _kill_group, [process])
        timer.start()
        try:
            if on_line:
                for line in process.stdout:
                    file.write(line)
                    on_line(line.decode('utf-8', 'replace').rstrip())
            code = process.wait()
        finally:
            timed_out = timer.finished.is_set()
            timer.cancel()
            _kill_group(process)  # kills remaining child processes
            with _lock:
                _running.discard(process)
        seconds = time.monotonic() - started
        if timed_out:
            file.write(f'\ntimed out after {timeout} s\n'.encode())
            return None, seconds
    return code, seconds
