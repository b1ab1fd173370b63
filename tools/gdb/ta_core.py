"""Writes a core file of a running program that includes the stacks of its coroutines.

gdb copies a mapping in large blocks and skips the rest of the mapping at the first block it cannot read. Guard pages made
with MADV_GUARD_INSTALL are in the same mapping as the stacks, so gdb's core file does not contain the stacks. Core files
of the kernel do. write_core() lets gdb write its file and then adds the missing pages.
"""
import struct

import gdb

PAGE = 4096
BLOCK = 64 * 1024
PT_LOAD = 1


def write_core(path, runtimes):
    gdb.execute(f'generate-core-file {path}', to_string=True)
    slabs = stack_ranges(runtimes)
    with open(path, 'r+b') as file:
        for offset, start, size in segments(file):
            if any(start < end and begin < start + size for begin, end in slabs):
                add_missing_pages(file, offset, start, size)
    gdb.write(f'wrote core file {path}\n')


def stack_ranges(runtimes):
    """(begin, end) of the mappings that contain the stacks."""
    ranges = set()
    for runtime in runtimes:
        blocks = [coroutine.block for coroutine in runtime.coroutines()] + [runtime.scheduler['loop_']]
        for slab in (block['stack']['slab'] for block in blocks if int(block['stack'])):
            begin = int(slab['memory_'])
            ranges.add((begin, begin + int(slab['count_']) * int(slab['stack_size_'])))
    return ranges


def segments(file):
    """(offset in the file, address, size) of each memory segment in a 64-bit core file."""
    header = file.read(64)
    order = '<' if header[5] == 1 else '>'
    table, = struct.unpack_from(order + 'Q', header, 32)
    entry_size, count = struct.unpack_from(order + 'HH', header, 54)
    found = []
    for i in range(count):
        file.seek(table + i * entry_size)
        kind, _, offset, address, _, size = struct.unpack(order + 'IIQQQQ', file.read(40))
        if kind == PT_LOAD and size:
            found.append((offset, address, size))
    return found


def add_missing_pages(file, offset, start, size):
    for position in range(0, size, BLOCK):
        length = min(BLOCK, size - position)
        step = length if read(start + position, length) else PAGE
        for page in range(position, position + length, step):
            memory = read(start + page, step)
            if memory and any(memory):  # zero pages stay a hole in the file
                file.seek(offset + page)
                file.write(memory)


def read(address, length):
    try:
        return bytes(gdb.selected_inferior().read_memory(address, length))
    except gdb.MemoryError:
        return None
