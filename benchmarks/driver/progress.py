"""Progress on stderr: one line that is rewritten on a terminal, plain lines elsewhere."""

import shutil
import sys


class Progress:
    def __init__(self, stream=sys.stderr):
        self._stream = stream
        self._terminal = stream.isatty()

    def step(self, text: str) -> None:
        """Something takes a while: always visible."""
        if self._terminal:
            self._rewrite(text)
        else:
            print(text, file=self._stream, flush=True)

    def detail(self, text: str) -> None:
        """What is going on right now: only worth a line that will be rewritten."""
        if self._terminal:
            self._rewrite(text)

    def message(self, text: str) -> None:
        """Stays on the screen."""
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
