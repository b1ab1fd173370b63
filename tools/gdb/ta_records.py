"""Reads schedulers and coroutines from the memory of a program. Never writes."""
import contextlib

import gdb

REGISTRY = 'trueasync::detail::scheduler_registry'

# Per CPU: the registers of a context, the thread-pointer register, and for the Boost.Context build the offsets of the frame
# pointer and the program counter in its record of a suspended context, and the size of that record.
CPUS = {
    'x86-64': {'sp': 'rsp', 'fp': 'rbp', 'pc': 'rip', 'base': 'rbx', 'thread': 'fs_base', 'boost': (0x30, 0x38, 0x40)},
    'aarch64': {'sp': 'sp', 'fp': 'x29', 'pc': 'pc', 'base': 'x19', 'thread': 'tpidr', 'boost': (0x90, 0xa0, 0xb0)},
}


def cpu():
    name = gdb.newest_frame().architecture().name()
    for key, registers in CPUS.items():
        if key in name:
            return registers
    raise gdb.GdbError(f'TrueAsync: backtraces are not supported on {name}')


def field(kind, name):
    """Offset of a field in bytes."""
    return next(f.bitpos // 8 for f in kind.fields() if f.name == name)


class Coroutine:
    """A coroutine, read from its control block. `runtime` owns it."""

    def __init__(self, runtime, block):
        self.runtime = runtime
        self.block = block
        self.number = int(block['id'])
        self.name = block['name'].string(errors='replace') if int(block['name']) else ''
        self.id = runtime.id_of(self.number)

    @property
    def is_running(self):
        return int(self.runtime.scheduler['current_']) == int(self.block.address)

    @property
    def has_stack(self):
        return bool(int(self.block['stack'])) or int(self.runtime.scheduler['main_']) == int(self.block.address)

    def state(self):
        phase = str(self.block['phase']).rsplit('::', maxsplit=1)[-1]
        if self.is_running:
            return 'running'
        if phase == 'created':
            return 'not started'
        if phase == 'suspended' and not str(self.block['state_']).endswith('::waiting'):
            return 'ready'
        return phase

    def describe_wait(self):
        if self.state() != 'suspended':
            return ''
        entries, count = self.block['entries_'], int(self.block['count_'])
        waits = [describe_event(self.runtime, entries[i]['event']) for i in range(count)] if int(entries) else []
        if int(self.block['slot_']) != 0xffffffff:
            waits.append('time')
        return ', '.join(waits)

    def title(self):
        name = f' "{self.name}"' if self.name else ''
        return f'coroutine {self.id}{name}, {self.state()}'

    def registers(self):
        """The saved registers: sp, fp, pc, and base if the context saves it."""
        context = self.block['context']
        saved = [key for key in ('sp', 'fp', 'pc', 'base') if any(f.name == key for f in context.type.fields())]
        found = {key: int(context[key]) for key in saved}
        if is_boost_build():
            word = gdb.lookup_type('unsigned long').pointer()
            record, (fp_offset, pc_offset, size) = found['sp'], cpu()['boost']
            fp, pc = (int(gdb.Value(record + offset).cast(word).dereference()) for offset in (fp_offset, pc_offset))
            found = {'sp': record + size, 'fp': fp, 'pc': pc}
        return found


def is_boost_build():
    try:
        gdb.lookup_type('trueasync::detail::BoostTransfer')
        return True
    except gdb.error:
        return False


def describe_event(runtime, event):
    block = gdb.lookup_type('trueasync::detail::ControlBlock')
    try:
        kind = event.dynamic_type.target()
    except gdb.error:
        return 'an event'
    if kind.name == block.name:
        return f'coroutine {runtime.id_of(int(event.cast(block.pointer())["id"]))}'
    return kind.name.rsplit('::', maxsplit=1)[-1] if kind.name else 'an event'


def format_location(value):
    """FILE:LINE of a trueasync::SourceLocation."""
    bits, shift = int(value['bits_']), int(value['kLineShift'])
    if not bits:
        return '-'
    file = gdb.Value(bits & ((1 << shift) - 1)).cast(gdb.lookup_type('char').pointer()).string(errors='replace')
    return f'{file.rsplit("/", maxsplit=1)[-1]}:{bits >> shift}'


class Runtime:
    """The scheduler of one thread. `thread` is gdb's thread object, or None if it is unknown."""

    def __init__(self, scheduler, thread):
        self.scheduler = scheduler
        self.thread = thread

    def id_of(self, number):
        return f'{self.thread.num if self.thread else 0}.{number}'

    def coroutines(self):
        """The live coroutines in spawn order, without the scheduler's own."""
        chunks = self.scheduler['arena_'].dereference()['chunks_']['_M_impl']
        pointer = gdb.lookup_type('trueasync::detail::ControlBlock').pointer()
        found = []
        for i in range(int(chunks['_M_finish'] - chunks['_M_start'])):
            for address in live_records(chunks['_M_start'][i]):
                block = gdb.Value(address).cast(pointer).dereference()
                if int(block['id']) and not str(block['phase']).endswith('::finished'):
                    found.append(Coroutine(self, block))
        return sorted(found, key=lambda coroutine: coroutine.number)

    def title(self):
        if not self.thread:
            return 'Thread unknown'
        name = f' "{self.thread.name}"' if self.thread.name else ''
        return f'Thread {self.thread.num} (LWP {self.thread.ptid[1] or self.thread.ptid[0]}){name}'


def live_records(chunk):
    """Addresses of the used records of a chunk. The chunk is read with one call, because it may have many records."""
    kind = chunk.type.target()
    records = next(f.type for f in kind.fields() if f.name == 'records')
    record, count = records.target(), records.range()[1] + 1
    start = int(chunk) + field(kind, 'records')
    memory = gdb.selected_inferior().read_memory(start, record.sizeof * count)
    live = field(record, 'live')
    return [start + i * record.sizeof for i in range(count) if memory[i * record.sizeof + live] != b'\0']


def select_frame(level):
    """Selects a frame without output; the command "frame" would print it."""
    frame = gdb.newest_frame()
    while level > 0 and frame.older():
        frame, level = frame.older(), level - 1
    frame.select()


@contextlib.contextmanager
def restored_selection():
    """Restores the selected thread and frame."""
    thread, level = gdb.selected_thread(), gdb.selected_frame().level()
    try:
        yield
    finally:
        if thread.is_valid():
            thread.switch()
            select_frame(level)


def threads_by_pointer():
    """Thread pointer -> gdb's thread."""
    threads = {}
    with restored_selection():
        for thread in gdb.selected_inferior().threads():
            thread.switch()
            with contextlib.suppress(gdb.error, ValueError):
                threads[int(gdb.newest_frame().read_register(cpu()['thread']))] = thread
    return threads


def list_heads():
    """The heads of the scheduler lists, one per copy of the library in the program."""
    symbols = [objfile.lookup_global_symbol(REGISTRY) for objfile in gdb.objfiles()]
    heads = [symbol.value() for symbol in symbols if symbol]
    if heads:
        return heads
    try:
        gdb.parse_and_eval(f"&'{REGISTRY}'")
    except gdb.error:
        raise gdb.GdbError('TrueAsync: no TrueAsync library found; the program does not use it, its symbols are stripped, '
                           'or the shared library is not loaded yet') from None
    raise gdb.GdbError('TrueAsync: the library has no debug information; build it with -g, for example '
                       'with CMAKE_BUILD_TYPE=RelWithDebInfo')


def runtimes():
    if not gdb.selected_thread():
        raise gdb.GdbError('TrueAsync: no process or core file; start the program, attach to it or open a core file')
    heads, threads, found = list_heads(), threads_by_pointer(), []
    for entry in heads:
        while int(entry):
            found.append(Runtime(entry['scheduler'].dereference(), threads.get(int(entry['thread']))))
            entry = entry['next']
    return sorted(found, key=lambda runtime: runtime.thread.num if runtime.thread else 0)
