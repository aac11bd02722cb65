#define _GNU_SOURCE
#include "calls.h"
#include "CConfinement.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the filter answers. The numbers of errors are their own. */
enum { FORBIDDEN = -1, ALLOWED = 0 };

struct expectation {
  long number;
  int answer;
  /* With these arguments; all are 0 unless they matter. */
  unsigned long first, third;
};

#define THREAD                                                                                                  \
  (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS |            \
   CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID)
#define YES(name) {SYS_##name, ALLOWED, 0, 0}
#define NO(name, code) {SYS_##name, code, 0, 0}

/* The list once more, on purpose: whoever adds a call to the filter adds it here, with the reason there. What is in
   neither is forbidden, also with these arguments. */
static const struct expectation expectations[] = {
    YES(futex), YES(sched_yield), YES(set_robust_list), YES(rseq), YES(gettid), YES(getpid), YES(sched_getaffinity),
    YES(getcpu), YES(membarrier), YES(exit), YES(exit_group), YES(madvise), YES(munmap), YES(mremap), YES(brk), YES(read),
    YES(write), YES(writev), YES(close), YES(fstat), YES(ppoll), YES(epoll_create1), YES(epoll_ctl), YES(epoll_pwait),
    YES(eventfd2), YES(timerfd_create), YES(timerfd_settime), YES(clock_gettime), YES(clock_getres), YES(clock_nanosleep),
    YES(nanosleep), YES(gettimeofday), YES(getrandom), YES(sysinfo), YES(getrusage), YES(rt_sigprocmask),
    YES(rt_sigreturn), YES(rt_sigsuspend), YES(sigaltstack), YES(restart_syscall), YES(dup), YES(rt_sigaction),
#ifdef __x86_64__
    YES(poll), YES(epoll_wait), NO(open, EACCES), NO(stat, EACCES), NO(lstat, EACCES), NO(readlink, EACCES),
    NO(access, EACCES),
#endif
    NO(clone3, ENOSYS), NO(newfstatat, EACCES), NO(readlinkat, EACCES), NO(faccessat, EACCES), NO(openat2, ENOSYS),
    NO(statx, ENOSYS), NO(faccessat2, ENOSYS), NO(sched_getattr, EPERM), NO(sched_setattr, EPERM), NO(ioctl, ENOTTY),
    /* An answer of 0 says that it was done, though it was not. */
    {SYS_setpriority, ALLOWED, 0, 0},
    /* Only with certain arguments. */
    {SYS_clone, ALLOWED, THREAD, 0}, {SYS_clone, FORBIDDEN, 0, 0}, {SYS_clone, FORBIDDEN, SIGCHLD, 0},
    {SYS_clone, FORBIDDEN, THREAD | CLONE_NEWUSER, 0}, {SYS_clone, FORBIDDEN, THREAD & ~CLONE_THREAD, 0},
    {SYS_prctl, ALLOWED, PR_SET_NAME, 0}, {SYS_prctl, FORBIDDEN, 0, 0}, {SYS_prctl, FORBIDDEN, PR_SET_DUMPABLE, 0},
    {SYS_prctl, FORBIDDEN, PR_SET_PDEATHSIG, 0}, {SYS_prctl, FORBIDDEN, PR_SET_SECCOMP, 0},
    {SYS_mmap, ALLOWED, 0, PROT_READ | PROT_WRITE}, {SYS_mmap, FORBIDDEN, 0, PROT_READ | PROT_EXEC},
    {SYS_mmap, FORBIDDEN, 0, PROT_READ | PROT_WRITE | PROT_EXEC},
    {SYS_mprotect, ALLOWED, 0, PROT_READ}, {SYS_mprotect, FORBIDDEN, 0, PROT_EXEC},
    {SYS_prlimit64, ALLOWED, 0, 0}, {SYS_prlimit64, FORBIDDEN, 1, 0},
    {SYS_tgkill, FORBIDDEN, 0, 0}, {SYS_tgkill, FORBIDDEN, 1, 0},
    {SYS_rt_sigaction, FORBIDDEN, SIGSYS, 0}, {SYS_rt_sigaction, ALLOWED, SIGTERM, 0},
    /* The handler of violations answers it. */
    {SYS_openat, EACCES, 0, 0},
};

/* Numbers beyond the last one that any kernel has; the kernels of a decade add about a hundred. */
static const long most = 1024;
/* An error that no kernel gives: a filter below the one that is tested gives it in place of making the call. */
static const int not_made = 4000;
/* By this last argument it knows the calls that are only tried. */
static const unsigned trial = 0x7ead;

/* Filters are asked together, and the strictest answer counts: a call that the tested filter allows is not made. */
static bool make_no_trial(void) {
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[5])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, trial, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | not_made),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {.len = sizeof rules / sizeof rules[0], .filter = rules};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

/* Ends the process with all arguments of the call cleared: the last of the call before would still be there. */
static void leave(int status) { syscall(SYS_exit_group, status, 0, 0, 0, 0, 0); }

/* The answer to a call, which a child makes. */
static int answer_to(const struct expectation *call) {
  pid_t child = fork();
  if (child == 0) {
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    if (!make_no_trial() || confinement_filter_system_calls() != 0) leave(255);
    /* The filter hands openat to the handler of violations, which looks at the path and returns by a call of its own. */
    bool is_handed_on = call->number == SYS_openat;
    long path = is_handed_on ? (long)"/etc/passwd" : 0;
    long result = syscall(call->number, call->first, path, call->third, 0, 0, is_handed_on ? 0L : (long)trial);
    leave(result == 0 || errno == not_made ? ALLOWED : errno < 250 ? errno : 254);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return WTERMSIG(status) == SIGSYS ? FORBIDDEN : -WTERMSIG(status);
  return WEXITSTATUS(status);
}

static void tell(const struct expectation *call, int answer) {
  printf("%ld(%lu, …, %lu) answers %d instead of %d\n", call->number, call->first, call->third, answer, call->answer);
}

static bool is_listed(long number) {
#ifdef __x86_64__
  /* uretprobe and uprobe, which the kernel lets pass by every filter; it ends who makes them without being probed. */
  if (number == 335 || number == 336) return true;
#endif
  for (size_t index = 0; index < sizeof expectations / sizeof expectations[0]; index++) {
    if (expectations[index].number == number) return true;
  }
  return false;
}

int report_calls(void) {
  if (!confinement_can_filter_system_calls()) return 0;
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (size_t index = 0; index < sizeof expectations / sizeof expectations[0]; index++) {
    int answer = answer_to(&expectations[index]);
    if (answer != expectations[index].answer) tell(&expectations[index], answer);
  }
  long tried = 0;
  for (long number = 0; number < most; number++) {
    if (is_listed(number)) continue;
    struct expectation call = {number, FORBIDDEN, 0, 0};
    int answer = answer_to(&call);
    if (answer != FORBIDDEN) tell(&call, answer);
    tried++;
  }
  printf("tried %ld\n", tried + (long)(sizeof expectations / sizeof expectations[0]));
  return 0;
}

/* A request for the program's own process is the one that is allowed. */
int report_own_signal(void) {
  pid_t child = fork();
  if (child == 0) {
    if (!make_no_trial() || confinement_filter_system_calls() != 0) leave(2);
    long result = syscall(SYS_tgkill, getpid(), 0, 0, 0, 0, (long)trial);
    leave(result < 0 && errno == not_made ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 3;
}
