#define _GNU_SOURCE
#include "SystemCalls.h"

#include <errno.h>
#include <malloc.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic(system_calls_sync_observer) observer;

void system_calls_observe_syncs(system_calls_sync_observer told) { atomic_store(&observer, told); }

static int tell(int status, int descriptor) {
  system_calls_sync_observer told = atomic_load(&observer);
  if (status == 0 && told != NULL) {
    int code = errno;
    told(descriptor);
    errno = code;
  }
  return status;
}

/* The program that runs the tests defines these two names itself, so the linker binds every call in it, those of
   libsqlite3 included, to these and not to the C library's. What ships is linked without them. */
int fsync(int descriptor) { return tell((int)syscall(SYS_fsync, descriptor), descriptor); }

int fdatasync(int descriptor) { return tell((int)syscall(SYS_fdatasync, descriptor), descriptor); }

int system_calls_set_own_umask(mode_t mask) {
  if (unshare(CLONE_FS) != 0) return -1;
  umask(mask);
  return 0;
}

size_t system_calls_allocated_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
