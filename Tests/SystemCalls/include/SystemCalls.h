#ifndef SYSTEM_CALLS_H
#define SYSTEM_CALLS_H

#include <sys/types.h>

/// Told of every fsync and fdatasync of this process that succeeded, on the thread that called it, before it returns.
typedef void (*system_calls_sync_observer)(int descriptor);

/// Sets who is told; to be set once.
void system_calls_observe_syncs(system_calls_sync_observer observer);

/// Gives the calling thread a umask that it shares with no other thread.
/// - Returns: 0, or -1 with the reason in errno.
int system_calls_set_own_umask(mode_t mask);

/// Exchanges the files behind two names, in one step.
int system_calls_exchange(const char *first, const char *second);

/// How many bytes this process has allocated and not freed, in all its threads.
size_t system_calls_allocated_bytes(void);

#endif
