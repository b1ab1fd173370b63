"""Presents a suspended coroutine to gdb as if its thread had called it. Writes no register, so core files work too."""
import gdb
from gdb.unwinder import Unwinder

from ta_records import CPUS, cpu


class FrameId:
    def __init__(self, sp, pc):
        self.sp = sp
        self.pc = pc


class CoroutineUnwinder(Unwinder):
    """While a coroutine is shown, the caller of its thread's innermost frame is the coroutine's suspension point."""

    def __init__(self):
        super().__init__('trueasync')
        self.shown = None  # ((sp, pc) of the thread, registers of the coroutine)

    def show(self, registers):
        frame, names = gdb.newest_frame(), cpu()
        self.shown = tuple(int(frame.read_register(names[key])) for key in ('sp', 'pc')), registers
        gdb.invalidate_cached_frames()

    def hide(self):
        if self.shown:
            self.shown = None
            gdb.invalidate_cached_frames()

    def __call__(self, pending):
        if not self.shown:
            return None
        names = next(value for key, value in CPUS.items() if key in pending.architecture().name())
        real, registers = self.shown
        if tuple(int(pending.read_register(names[key])) for key in ('sp', 'pc')) != real:
            return None
        word = pending.architecture().integer_type(64, False)
        info = pending.create_unwind_info(FrameId(gdb.Value(registers['sp']).cast(word), gdb.Value(real[1]).cast(word)))
        for key, value in registers.items():
            info.add_saved_register(names[key], gdb.Value(value).cast(word))
        return info


def thread_frames():
    """Number of frames before the coroutine's frames: the thread's innermost function and its inlined functions."""
    count, frame = 1, gdb.newest_frame()
    while frame.type() == gdb.INLINE_FRAME:
        count, frame = count + 1, frame.older()
    return count
