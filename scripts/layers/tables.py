"""The modules, what each contains and may include, and the module of each public header."""

# Module (folder of src/) -> (what it contains, modules it may include besides itself). Every module must be listed here, in
# the order of docs/architecture.md. A permission that no file uses is a violation.
MODULES = {
    'base': ('checks, ring buffer, lists, error types, source locations', ()),
    'context': ('the context switch, stacks, guards, the stack pool, overflow reports, sanitizer hooks', ('base',)),
    'event': ('`Event`, `Waker`, waits for several events', ('base',)),
    'reactor': ('the interface that the scheduler uses, timers', ('base', 'event')),
    # The epoll reactor runs libuv's loop for signals, lookups and work, so these two modules include each other.
    'reactor/epoll': ('descriptors, processes, the poll loop', ('base', 'reactor', 'reactor/uv')),
    'reactor/uv': ("libuv's loop, hosted by the epoll reactor: signals, name lookups, worker threads",
                   ('base', 'reactor', 'reactor/epoll')),
    'reactor/sim': ('virtual time and simulated events', ('base', 'reactor')),
    'scheduler': ('ready queue, tick, coroutines, microtasks, switch handlers, cancellation, deadlock detection, shutdown',
                  ('base', 'context', 'event', 'reactor')),
    'sync': ('futures, channels, mutex, semaphore, condition, latch, rate limiter, retry',
             ('base', 'event', 'reactor', 'scheduler')),
    'scope': ('scopes, contexts, deadlines, the await family, select, task groups, concurrent iteration',
              ('base', 'event', 'reactor', 'scheduler', 'sync')),
    'io': ('the I/O handle, sockets, files, terminals, names, processes, directory watches',
           ('base', 'event', 'reactor', 'scheduler')),
    'pool': ('the resource pool, the circuit breaker and its strategies', ('base', 'event', 'reactor', 'scheduler', 'sync')),
    'tls': ('TLS over any stream', ('base', 'scheduler', 'io')),
    'threads': ('threads as events, the thread pool', ('base', 'event', 'reactor', 'scheduler', 'sync')),
    'interpose': ('replacements for blocking libc calls, and import patching',
                  ('base', 'event', 'reactor', 'scheduler', 'threads')),
    'runtime': ('combines the modules; the only module that selects a reactor',
                ('base', 'event', 'reactor', 'reactor/epoll', 'reactor/sim', 'scheduler', 'sync')),
    'capi': ('the tables of `<trueasync.h>`: statuses instead of exceptions, structs with sizes, C hooks',
             ('base', 'event', 'reactor', 'scheduler', 'pool', 'io', 'threads', 'runtime')),
    'all': ('the header `<trueasync/trueasync.hpp>`, which includes the public headers',
            ('base', 'event', 'scheduler', 'sync', 'scope', 'pool', 'io', 'threads', 'tls', 'interpose', 'runtime')),
}

# The modules that may include <uv.h>.
UV_MODULES = ('reactor/epoll', 'reactor/uv')

# Folders outside src/ and include/. They may include their own headers and public headers, and neither private headers nor
# <uv.h>, except for the pairs of private_includes.txt.
OUTSIDE = ('php/src', 'extensions', 'examples', 'benchmarks')
# Folders of these that may include <uv.h>: the programs that benchmarks compare the library with.
UV_FOLDERS = ('benchmarks/peers/libuv',)

# Folder of include/trueasync/ -> module of its headers. Headers of one module may include each other.
PUBLIC_FOLDERS = {'c': 'capi', 'io': 'io', 'sync': 'sync', 'scope': 'scope', 'pool': 'pool', 'threads': 'threads'}
# The public headers (relative to include/) that are not in such a folder, and the exceptions of a folder.
PUBLIC_HEADERS = {
    'trueasync.h': 'capi',
    'trueasync/detail/access.hpp': 'base',
    'trueasync/detail/intrusive_list.hpp': 'base',
    'trueasync/detail/ref.hpp': 'base',
    'trueasync/error.hpp': 'base',
    'trueasync/export.hpp': 'base',
    'trueasync/histogram.hpp': 'base',
    'trueasync/source_location.hpp': 'base',
    'trueasync/detail/deadlock_handler.hpp': 'event',
    'trueasync/event.hpp': 'event',
    'trueasync/wait_options.hpp': 'event',
    'trueasync/cancel.hpp': 'scheduler',
    'trueasync/coroutine.hpp': 'scheduler',
    'trueasync/detail/coroutine_entry.hpp': 'scheduler',
    'trueasync/detail/current_coroutine.hpp': 'scheduler',
    'trueasync/host.hpp': 'scheduler',
    'trueasync/runtime.hpp': 'scheduler',
    'trueasync/task.hpp': 'scheduler',
    'trueasync/detail/channel_base.hpp': 'sync',
    'trueasync/detail/channel_iterator.hpp': 'sync',
    'trueasync/detail/channel_receive.hpp': 'sync',
    'trueasync/detail/channel_state.hpp': 'sync',
    'trueasync/detail/fixed_ring.hpp': 'sync',
    'trueasync/detail/future_chain.hpp': 'sync',
    'trueasync/detail/future_state.hpp': 'sync',
    'trueasync/detail/thread_channel_base.hpp': 'sync',
    'trueasync/detail/wait_queue.hpp': 'sync',
    'trueasync/threads/channel.hpp': 'sync',
    'trueasync/detail/await_collector.hpp': 'scope',
    'trueasync/detail/await_tuple.hpp': 'scope',
    'trueasync/detail/awaitable.hpp': 'scope',
    'trueasync/detail/iteration.hpp': 'scope',
    'trueasync/detail/task_group_base.hpp': 'scope',
    'trueasync/detail/task_group_core.hpp': 'scope',
    'trueasync/detail/pool_base.hpp': 'pool',
    'trueasync/io/tls.hpp': 'tls',
    'trueasync/detail/remote_call.hpp': 'threads',
    'trueasync/blocking.hpp': 'interpose',
    'trueasync/testing.hpp': 'runtime',
    'trueasync/time.hpp': 'runtime',
    'trueasync/trueasync.hpp': 'all',
}
