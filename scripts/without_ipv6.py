"""usage: unshare --net python3 without_ipv6.py COMMAND...

Runs a command as if the kernel had no IPv6: AF_INET6 sockets fail with EAFNOSUPPORT and the loopback interface has only
127.0.0.1. Must run as root in a separate network namespace.
"""
import ctypes
import errno
import fcntl
import os
import pathlib
import platform
import socket
import struct
import sys

SIOCSIFFLAGS = 0x8914
IFF_UP = 1
PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2
SECCOMP_RET_ALLOW = 0x7FFF0000
SECCOMP_RET_ERRNO = 0x00050000
# Offsets in struct seccomp_data, and the classic BPF instructions used by the filter.
NUMBER, FIRST_ARGUMENT = 0, 16
LOAD_WORD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
SOCKET_CALL = {'x86_64': 41, 'aarch64': 198}


class Program(ctypes.Structure):
    _fields_ = [('length', ctypes.c_ushort), ('instructions', ctypes.c_char_p)]


def set_up_loopback():
    for name in ('all', 'default', 'lo'):
        setting = pathlib.Path(f'/proc/sys/net/ipv6/conf/{name}/disable_ipv6')
        if setting.exists():
            setting.write_text('1', encoding='ascii')
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack('16sh22x', b'lo', IFF_UP))


def reject_ipv6_sockets():
    """Installs a seccomp filter that the command and all its children inherit."""
    instructions = [
        (LOAD_WORD, 0, 0, NUMBER),
        (JUMP_IF_EQUAL, 0, 3, SOCKET_CALL[platform.machine()]),
        (LOAD_WORD, 0, 0, FIRST_ARGUMENT),
        (JUMP_IF_EQUAL, 0, 1, socket.AF_INET6),
        (RETURN, 0, 0, SECCOMP_RET_ERRNO | errno.EAFNOSUPPORT),
        (RETURN, 0, 0, SECCOMP_RET_ALLOW),
    ]
    program = Program(len(instructions), b''.join(struct.pack('HBBI', *words) for words in instructions))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), 'prctl(PR_SET_SECCOMP)')


if __name__ == '__main__':
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    set_up_loopback()
    reject_ipv6_sockets()
    os.execvp(sys.argv[1], sys.argv[1:])
