#ifndef CTASKHOOK_H
#define CTASKHOOK_H

/// Hands every piece of a task that is ready to run to `run`, instead of to libdispatch. Set it before the first task
/// starts; `run` is called on any thread, must not block, and must pass each job to `ctaskhook_run` once.
void ctaskhook_set(void (*run)(void *job));

/// Runs a job that the hook has received, on this thread.
void ctaskhook_run(void *job);

#endif
