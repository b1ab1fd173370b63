"""gdb commands for TrueAsync: list coroutines and print their backtraces, in a live process or a core file.

    (gdb) source trueasync.py
    (gdb) ta help

The commands only read memory. They call no function of the program and write no register, so they also work with core files.
The library must have debug information (-g, with any optimization level).
"""
import os
import re
import sys

import gdb
from gdb.unwinder import register_unwinder

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode, _before = True, sys.dont_write_bytecode
try:
    from ta_core import write_core
    from ta_records import format_location, restored_selection, runtimes, select_frame
    from ta_unwinder import CoroutineUnwinder, thread_frames
finally:
    sys.dont_write_bytecode = _before
    sys.path.pop(0)

HELP = '''ta coroutines    list the coroutines of all threads: spawn location, suspend location, what they wait for
ta bt ID [full]  print the backtrace of one coroutine; full: with local variables
ta bt all [full] print the backtraces of all coroutines
ta enter ID      select a coroutine instead of its thread, for frame, up, down, info locals, print
ta leave         select the thread again; so does continuing the program
ta core FILE     write a core file with the stacks of the coroutines (generate-core-file omits them)
ta help          print this text

ID is THREAD.NUMBER as listed, a NUMBER (the selected thread is preferred), or a name.
'''


def find(text):
    """The coroutines that match an ID; at least one."""
    coroutines = [coroutine for runtime in runtimes() for coroutine in runtime.coroutines()]
    if text == 'all':
        return coroutines
    found = [c for c in coroutines if text in (c.id, str(c.number), c.name)]
    on_selected_thread = [c for c in found if text == str(c.number) and c.runtime.thread == gdb.selected_thread()]
    if not found:
        raise gdb.GdbError(f'TrueAsync: no live coroutine matches {text}; "ta coroutines" lists them')
    return on_selected_thread or found


UNWINDER = CoroutineUnwinder()


def backtrace(coroutine, how):
    if coroutine.runtime.thread:
        coroutine.runtime.thread.switch()
    if coroutine.is_running:
        if not coroutine.runtime.thread:
            return '  running on an unknown thread; see "thread apply all bt"\n'
        return gdb.execute(f'bt {how}', to_string=True)
    if not coroutine.has_stack:
        return '  has no stack yet\n'
    UNWINDER.show(coroutine.registers())
    try:
        skip = thread_frames()
        text = gdb.execute(f'bt {how}', to_string=True)
    finally:
        UNWINDER.hide()
    start = re.search(rf'^#{skip}\s', text, re.MULTILINE)
    if not start:
        return f'  cannot read the stack\n{text}'
    return re.sub(r'^#(\d+) *', lambda m: f'#{int(m[1]) - skip}'.ljust(4), text[start.start():], flags=re.MULTILINE)


def suspended_at(coroutine):
    return format_location(coroutine.block['suspend_location']) if coroutine.state() in ('suspended', 'ready') else '-'


def list_coroutines(arguments):
    if arguments:
        raise gdb.GdbError('usage: ta coroutines')
    found = runtimes()
    if not found:
        gdb.write('no thread runs a TrueAsync runtime\n')
    for runtime in found:
        coroutines = runtime.coroutines()
        rows = [('ID', 'Name', 'State', 'Spawned at', 'Suspended at', 'Waits for')]
        rows += [(c.id, c.name or '-', c.state(), format_location(c.block['spawn_location']), suspended_at(c),
                  c.describe_wait() or '-') for c in coroutines]
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        in_loop = '' if any(c.is_running for c in coroutines) else '; the scheduler is polling'
        gdb.write(f'{runtime.title()}: {len(coroutines)} coroutines{in_loop}\n')
        for row in rows:
            gdb.write('  ' + '  '.join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() + '\n')


def print_backtraces(arguments):
    if len(arguments) not in (1, 2) or arguments[1:] not in ([], ['full']):
        raise gdb.GdbError('usage: ta bt ID [full], ta bt all [full]')
    coroutines = find(arguments[0])
    with restored_selection():
        for coroutine in coroutines:
            gdb.write(f'{coroutine.title()}, spawned at {format_location(coroutine.block["spawn_location"])}:\n')
            gdb.write(backtrace(coroutine, ' '.join(arguments[1:])) + '\n')


def select_user_frame(level):
    """Selects the first frame at or above this level that is not in the library."""
    select_frame(level)
    frame, first = gdb.selected_frame(), gdb.selected_frame()
    while frame and (frame.name() or '').startswith('trueasync::'):
        frame = frame.older()
    (frame or first).select()


def enter(arguments):
    if len(arguments) != 1 or arguments == ['all']:
        raise gdb.GdbError('usage: ta enter ID')
    found = find(arguments[0])
    if len(found) > 1:
        raise gdb.GdbError('TrueAsync: several coroutines have this name: ' + ', '.join(c.id for c in found))
    coroutine = found[0]
    if coroutine.runtime.thread:
        coroutine.runtime.thread.switch()
    if not coroutine.has_stack:
        raise gdb.GdbError(f'TrueAsync: {coroutine.title()}: has no stack yet')
    if not coroutine.is_running:
        UNWINDER.show(coroutine.registers())
        select_user_frame(thread_frames())
    gdb.write(f'{coroutine.title()}; "ta leave" selects the thread again\n')
    gdb.execute('frame')


def leave(arguments):
    if arguments:
        raise gdb.GdbError('usage: ta leave')
    UNWINDER.hide()
    gdb.execute('frame 0')


def core(arguments):
    if len(arguments) != 1:
        raise gdb.GdbError('usage: ta core FILE')
    write_core(arguments[0], runtimes())


class Command(gdb.Command):
    """TrueAsync: coroutines and their backtraces. See "ta help"."""

    ACTIONS = {'coroutines': list_coroutines, 'bt': print_backtraces, 'enter': enter, 'leave': leave, 'core': core}

    def __init__(self):
        super().__init__('ta', gdb.COMMAND_STACK)

    def complete(self, text, word):
        if ' ' in text.strip():
            return gdb.COMPLETE_NONE
        return [action for action in [*self.ACTIONS, 'help'] if action.startswith(word)]

    def invoke(self, argument, from_tty):
        action, *arguments = gdb.string_to_argv(argument) or ['help']
        if action == 'help':
            gdb.write(HELP)
        elif action in self.ACTIONS:
            UNWINDER.hide()  # every command starts with the threads' real frames
            try:
                self.ACTIONS[action](arguments)
            except gdb.error as error:
                raise gdb.GdbError(f'TrueAsync: {error}; the memory is corrupt, or the gdb commands and the library have different versions')
        else:
            raise gdb.GdbError(f'TrueAsync: unknown command {action}; see "ta help"')


register_unwinder(None, UNWINDER, replace=True)
gdb.events.cont.connect(lambda event: UNWINDER.hide())
Command()
