"""A core file of a running program that has the stacks of its coroutines in it.

gdb copies a mapping in large pieces and gives the whole mapping up at the first piece it can't read. Stacks whose
guards are made by MADV_GUARD_INSTALL lie in one mapping with these guards, so gdb's core file lacks them all. (The
kernel's core files have no such hole.) Here gdb writes its file, and what it left out is filled in page by page.
"""
import struct

import gdb

PAGE = 4096
PIECE = 64 * 1024
PT_LOAD = 1


def write_core(path, runtimes):
    gdb.execute(f'generate-core-file {path}', to_string=True)
    slabs = stack_ranges(runtimes)
    with open(path, 'r+b') as file:
        for offset, start, size in segments(file):
            if any(start < end and begin < start + size for begin, end in slabs):
                fill_in(file, offset, start, size)
    gdb.write(f'Core file {path} written.\n')


def stack_ranges(runtimes):
    """(begin, end) of the mappings that hold the stacks."""
    ranges = set()
    for runtime in runtimes:
        blocks = [coroutine.block for coroutine in runtime.coroutines()] + [runtime.scheduler['loop_']]
        for slab in (block['stack']['slab'] for block in blocks if int(block['stack'])):
            begin = int(slab['memory_'])
            ranges.add((begin, begin + int(slab['count_']) * int(slab['stack_size_'])))
    return ranges


def segments(file):
    """(offset in the file, address, size) of each piece of memory in a 64-bit core file."""
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


def fill_in(file, offset, start, size):
    for position in range(0, size, PIECE):
        length = min(PIECE, size - position)
        step = length if read(start + position, length) else PAGE
        for at in range(position, position + length, step):
            memory = read(start + at, step)
            if memory and any(memory):  # the rest stays a hole
                file.seek(offset + at)
                file.write(memory)


def read(address, length):
    try:
        return bytes(gdb.selected_inferior().read_memory(address, length))
    except gdb.MemoryError:
        return None
