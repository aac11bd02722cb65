/// What a process gives up before it touches untrusted bytes. Linux only.
///
/// The functions return 0, or -1 with errno.
#ifndef CCONFINEMENT_H
#define CCONFINEMENT_H

#include <stdbool.h>

/// Keeps other processes of the user from reading this one's memory, environment and descriptors, and keeps its memory
/// out of core files. Ends with `exec`. Root is not kept out.
int confinement_hide_memory(void);

/// Enters user, network and IPC namespaces of its own, which many systems do not allow. The process must have one
/// thread.
int confinement_enter_namespaces(void);

/// Forbids new privileges for this process, and asks the kernel to kill it when the thread that started it ends.
int confinement_bind_to_parent(void);

/// Closes every descriptor from `first` on, which were inherited by accident.
int confinement_close_from(int first);

/// Gives up every capability, for ever; root is no more than any user afterwards.
int confinement_drop_capabilities(void);

/// Closes the file system to the calling thread and to those it starts: no file can be opened, created, changed or
/// removed any more. Open descriptors go on working. The process must have one thread.
/// Returns the version of Landlock, or 0 where the kernel has none or does not let this process use it.
int confinement_close_file_system(void);

/// Whether the system has filters of system calls, and the list was written for this processor.
bool confinement_can_filter_system_calls(void);

/// From here on, a system call that is not on the list ends the process with SIGSYS; a line on standard error names it.
int confinement_filter_system_calls(void);

/// Whether other processes of the user may read the memory of this one.
bool confinement_is_dumpable(void);

/// What that line begins with; the call's number follows and, if it is a usual one, its name.
#define CONFINEMENT_VIOLATION "forbidden system call "

#endif
