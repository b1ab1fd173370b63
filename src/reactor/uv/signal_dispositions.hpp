// What the program had installed for a signal before a loop began to watch it. libuv puts the default action back when
// its last handle goes; a program that ignored the signal, or had a handler of its own, must get that back instead.
//
// Owns: the saved dispositions, one per number, for the whole process: dispositions belong to it, not to a loop.
// Threads: any; a lock guards it.
#pragma once

namespace trueasync::detail {

// Saves what is installed for `number` unless a loop watches it already; before the loop installs its handler.
void save_disposition(int number) noexcept;
// After the loop has taken its handler away. The last one puts back what was saved.
void restore_disposition(int number) noexcept;

}  // namespace trueasync::detail
