"""Progress messages on stderr: one line that is rewritten on a terminal, separate lines otherwise."""

import shutil
import sys


class Progress:
    def __init__(self, stream=sys.stderr):
        self._stream = stream
        self._terminal = stream.isatty()

    def step(self, text: str) -> None:
        """Start of a long operation; always printed."""
        if self._terminal:
            self._rewrite(text)
        else:
            print(text, file=self._stream, flush=True)

    def detail(self, text: str) -> None:
        """Current activity; printed only on a terminal."""
        if self._terminal:
            self._rewrite(text)

    def message(self, text: str) -> None:
        """A message that is not overwritten."""
        self.clear()
        print(text, file=self._stream, flush=True)

    def clear(self) -> None:
        if self._terminal:
            self._stream.write("\r\033[K")
            self._stream.flush()

    def _rewrite(self, text: str) -> None:
        width = shutil.get_terminal_size().columns - 1
        self._stream.write("\r\033[K" + text[:width])
        self._stream.flush()
