"""gdb helper for TrueAsync: lists the coroutines of a program and prints their backtraces, live or from a core file.

    (gdb) source trueasync.py
    (gdb) ta help

It only reads memory: it calls nothing in the program and writes no register, so a core file is as good as a process.
The library needs its debug information (-g; any optimisation).
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
    from ta_records import place, runtimes, select_frame, selection_kept
    from ta_unwinder import CoroutineUnwinder, thread_frames
finally:
    sys.dont_write_bytecode = _before
    sys.path.pop(0)

HELP = '''ta coroutines    all coroutines of all threads: where they were spawned, where they wait and for what
ta bt ID [full]  the backtrace of one coroutine; full: with local variables
ta bt all [full] the backtraces of all
ta enter ID      shows gdb that coroutine instead of its thread: then frame, up, down, info locals, print
ta leave         back to what the thread really does; going on with the program does the same
ta core FILE     writes a core file with the coroutines' stacks: gdb's own command stops at their guards
ta help          this text

ID is THREAD.NUMBER as listed, or the number alone (the selected thread's coroutine if it has such a one), or a name.
'''


def find(text):
    """The coroutines that an ID means; at least one."""
    everyone = [coroutine for runtime in runtimes() for coroutine in runtime.coroutines()]
    if text == 'all':
        return everyone
    found = [c for c in everyone if text in (c.id, str(c.number), c.name)]
    mine = [c for c in found if text == str(c.number) and c.runtime.thread == gdb.selected_thread()]
    if not found:
        raise gdb.GdbError(f'TrueAsync: no living coroutine is called {text}; "ta coroutines" lists them.')
    return mine or found


UNWINDER = CoroutineUnwinder()


def backtrace(coroutine, how):
    if coroutine.runtime.thread:
        coroutine.runtime.thread.switch()
    if coroutine.is_running:
        if not coroutine.runtime.thread:
            return '  it runs, but its thread is unknown: see "thread apply all bt"\n'
        return gdb.execute(f'bt {how}', to_string=True)
    if not coroutine.has_stack:
        return '  it has no stack yet\n'
    UNWINDER.show(coroutine.registers())
    try:
        skip = thread_frames()
        text = gdb.execute(f'bt {how}', to_string=True)
    finally:
        UNWINDER.hide()
    start = re.search(rf'^#{skip}\s', text, re.MULTILINE)
    if not start:
        return f'  its stack can not be read\n{text}'
    return re.sub(r'^#(\d+) *', lambda m: f'#{int(m[1]) - skip}'.ljust(4), text[start.start():], flags=re.MULTILINE)


def list_coroutines(arguments):
    if arguments:
        raise gdb.GdbError('usage: ta coroutines')
    everything = runtimes()
    if not everything:
        gdb.write('No thread runs a TrueAsync runtime now.\n')
    for runtime in everything:
        coroutines = runtime.coroutines()
        rows = [('ID', 'Name', 'State', 'Spawned at', 'Suspended at', 'Waits for')]
        rows += [(c.id, c.name or '-', c.state(), place(c.block['spawn_location']),
                  place(c.block['suspend_location']) if c.state() in ('suspended', 'ready') else '-', c.describe_wait() or '-')
                 for c in coroutines]
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        in_loop = '' if any(c.is_running for c in coroutines) else '; the scheduler waits for events'
        gdb.write(f'{runtime.title()}: {len(coroutines)} coroutines{in_loop}\n')
        for row in rows:
            gdb.write('  ' + '  '.join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() + '\n')


def print_backtraces(arguments):
    if len(arguments) not in (1, 2) or arguments[1:] not in ([], ['full']):
        raise gdb.GdbError('usage: ta bt ID [full], ta bt all [full]')
    coroutines = find(arguments[0])
    with selection_kept():
        for coroutine in coroutines:
            gdb.write(f'{coroutine.title()}, spawned at {place(coroutine.block["spawn_location"])}:\n')
            gdb.write(backtrace(coroutine, ' '.join(arguments[1:])) + '\n')


def select_users_frame(level):
    """The first frame from this level on that is not the library's."""
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
        raise gdb.GdbError('TrueAsync: several have this name: ' + ', '.join(c.id for c in found))
    coroutine = found[0]
    if coroutine.runtime.thread:
        coroutine.runtime.thread.switch()
    if not coroutine.has_stack:
        raise gdb.GdbError(f'TrueAsync: {coroutine.title()}, has no stack yet.')
    if not coroutine.is_running:
        UNWINDER.show(coroutine.registers())
        select_users_frame(thread_frames())
    gdb.write(f'{coroutine.title()}. "ta leave" goes back to the thread.\n')
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
    """TrueAsync: coroutines and their backtraces. "ta help" tells more."""

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
            UNWINDER.hide()  # every command starts from what the threads really do
            try:
                self.ACTIONS[action](arguments)
            except gdb.error as error:
                raise gdb.GdbError(f'TrueAsync: {error} (damaged memory, or helper and library are of two versions)')
        else:
            raise gdb.GdbError(f'TrueAsync: unknown command {action}; see "ta help"')


register_unwinder(None, UNWINDER, replace=True)
gdb.events.cont.connect(lambda event: UNWINDER.hide())
Command()
