#define _GNU_SOURCE
#include "CConfinement.h"
#include "violation.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define CONFINEMENT_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define CONFINEMENT_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef CONFINEMENT_ARCHITECTURE

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
/* Both processors are little-endian: the low half of an argument comes first. The kernel reads no more of the
   arguments that are looked at here. */
#define LOAD_ARGUMENT(index) LOAD(args[index])
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define IS(value, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (otherwise))
#define LACKS(flags, otherwise) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (flags), (otherwise), 0)

#define YES ANSWER(SECCOMP_RET_ALLOW)
/* The handler of the signal names the call and ends the process; where the signal is blocked, the kernel ends it. */
#define FATAL ANSWER(SECCOMP_RET_TRAP)

#define ALLOW(name) IS(SYS_##name, 1), YES
#define REFUSE(name, code) IS(SYS_##name, 1), ANSWER(SECCOMP_RET_ERRNO | (code))
#define ALLOW_WITH(name, index, value) IS(SYS_##name, 4), LOAD_ARGUMENT(index), IS((value), 1), YES, FATAL
#define ALLOW_WITHOUT(name, index, flags) IS(SYS_##name, 4), LOAD_ARGUMENT(index), LACKS((flags), 1), YES, FATAL

/* What pthread_create of the C library asks for: a thread of this process, in the same namespaces. */
#define THREAD                                                                                         \
  (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS |   \
   CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID)

bool confinement_can_filter_system_calls(void) {
  const unsigned action = SECCOMP_RET_TRAP;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

int confinement_filter_system_calls(void) {
  const unsigned self = (unsigned)getpid();
  struct sock_filter rules[] = {
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CONFINEMENT_ARCHITECTURE, 1, 0),
      ANSWER(SECCOMP_RET_KILL_PROCESS),
      LOAD(nr),

      /* Threads wait for each other, begin and end. The C library tries clone3 first, whose flags cannot be seen. */
      ALLOW(futex),
      ALLOW(sched_yield),
      ALLOW_WITH(clone, 0, THREAD),
      REFUSE(clone3, ENOSYS),
      ALLOW(set_robust_list),
      ALLOW(rseq),
      ALLOW(gettid),
      ALLOW(getpid),
      ALLOW(sched_getaffinity),
      ALLOW(getcpu),
      ALLOW(membarrier),
      ALLOW_WITH(prctl, 0, PR_SET_NAME),
      ALLOW(exit),
      ALLOW(exit_group),

      /* Memory, of which none may become executable: nothing is loaded and nothing compiled any more. */
      ALLOW(madvise),
      ALLOW_WITHOUT(mmap, 2, PROT_EXEC),
      ALLOW_WITHOUT(mprotect, 2, PROT_EXEC),
      ALLOW(munmap),
      ALLOW(mremap),
      ALLOW(brk),

      /* The pipes to the main process, and the wake-up calls between threads. No descriptor can be opened but these. */
      ALLOW(read),
      ALLOW(write),
      ALLOW(writev),
      ALLOW(close),
      ALLOW(fstat),
      ALLOW(ppoll),
      ALLOW(epoll_create1),
      ALLOW(epoll_ctl),
      ALLOW(epoll_pwait),
      ALLOW(eventfd2),
      ALLOW(timerfd_create),
      ALLOW(timerfd_settime),
#ifdef __x86_64__
      ALLOW(poll),
      ALLOW(epoll_wait),
#endif

      /* Clocks, which the kernel normally answers without a system call, and random numbers for hash tables. */
      ALLOW(clock_gettime),
      ALLOW(clock_getres),
      ALLOW(clock_nanosleep),
      ALLOW(nanosleep),
      ALLOW(gettimeofday),
      ALLOW(getrandom),
      ALLOW(sysinfo),

      /* The processor time of each job is counted and limited; only for this process itself. */
      ALLOW(getrusage),
      ALLOW_WITH(prlimit64, 0, 0),
      /* Dispatch sets the priority of its threads, and takes a refusal for a fault to be written to the system's log. The
         answer says that it was done. */
      REFUSE(setpriority, 0),

      /* Signals to this process alone, as of abort. What a forbidden call brings about cannot be changed: asking for
         it is how the process ends. */
      ALLOW_WITH(tgkill, 0, self),
      ALLOW(rt_sigprocmask),
      ALLOW(rt_sigreturn),
      ALLOW(rt_sigsuspend),
      ALLOW(sigaltstack),
      ALLOW(restart_syscall),
      IS(SYS_rt_sigaction, 4),
      LOAD_ARGUMENT(0),
      IS(SIGSYS, 1),
      ANSWER(SECCOMP_RET_KILL_PROCESS),
      YES,

      /* Libraries ask for files that they can do without, such as the C library for the system's memory policy. The
         handler answers openat, because one library cannot; what it hands out is a copy of an empty file. */
      IS(SYS_openat, 1),
      FATAL,
      ALLOW(dup),
      REFUSE(newfstatat, EACCES),
      REFUSE(readlinkat, EACCES),
      REFUSE(faccessat, EACCES),
      REFUSE(openat2, ENOSYS),
      REFUSE(statx, ENOSYS),
      REFUSE(faccessat2, ENOSYS),
#ifdef __x86_64__
      REFUSE(open, EACCES),
      REFUSE(stat, EACCES),
      REFUSE(lstat, EACCES),
      REFUSE(readlink, EACCES),
      REFUSE(access, EACCES),
#endif
      /* GLib asks for the scheduling of its threads, and does without. */
      REFUSE(sched_getattr, EPERM),
      REFUSE(sched_setattr, EPERM),
      /* Whether a stream is a terminal. */
      REFUSE(ioctl, ENOTTY),

      FATAL,
  };
  struct sock_fprog program = {.len = sizeof rules / sizeof rules[0], .filter = rules};
  if (confinement_watch_violations() != 0) return -1;
  /* All threads at once: any that a library has started must not be a way out. */
  long status = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  if (status > 0) errno = EAGAIN;
  return status == 0 ? 0 : -1;
}

#else

bool confinement_can_filter_system_calls(void) { return false; }

int confinement_filter_system_calls(void) {
  errno = ENOSYS;
  return -1;
}

#endif
