/// Settings of the whole process that Swift's modules leave out.
#ifndef CPROCESS_H
#define CPROCESS_H

// The limits of the allocator (mallopt).
#include <malloc.h>

/// Hands every piece of a task that is ready to run to `run`, instead of to libdispatch. Set it before the first task
/// starts; `run` is called on any thread, must not block, and must pass each job to `task_hook_run` once.
void task_hook_set(void (*_Nonnull run)(void *_Nullable job));

/// Runs a job that the hook has received, on this thread.
void task_hook_run(void *_Nullable job);

#endif
