#include "CProcess.h"

/* The Swift runtime exports these for programs that run tasks in their own way (Concurrency.h of the Swift sources, since
   Swift 5.5), but installs no header. Its functions use Swift's calling convention; an executor is two words, and both
   are zero for the one that any thread may be. */
#define SWIFTCALL __attribute__((swiftcall))
typedef SWIFTCALL void (*enqueue_function)(void *job);
typedef struct {
  void *identity, *implementation;
} executor_reference;
extern SWIFTCALL void (*swift_task_enqueueGlobal_hook)(void *job, enqueue_function original);
extern SWIFTCALL void swift_job_run(void *job, executor_reference executor);

static void (*run_elsewhere)(void *job);

static SWIFTCALL void enqueue(void *job, enqueue_function original) {
  (void)original;
  run_elsewhere(job);
}

void task_hook_set(void (*run)(void *job)) {
  run_elsewhere = run;
  swift_task_enqueueGlobal_hook = enqueue;
}

void task_hook_run(void *job) { swift_job_run(job, (executor_reference){0, 0}); }
