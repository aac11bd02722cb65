#define _GNU_SOURCE
#include "violation.h"
#include "CConfinement.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

/* The calls that a picture's exploit, or a library newer than the list, is likely to make. */
#define NAME(call) {SYS_##call, #call}
static const struct {
  long number;
  const char *name;
} names[] = {
#ifdef __x86_64__
    NAME(fork), NAME(vfork), NAME(creat), NAME(unlink), NAME(rename), NAME(mkdir), NAME(pipe), NAME(getdents),
#endif
    NAME(socket), NAME(socketpair), NAME(connect), NAME(bind), NAME(listen), NAME(accept4), NAME(sendto),
    NAME(recvfrom), NAME(sendmsg), NAME(recvmsg), NAME(getpeername), NAME(execve), NAME(execveat), NAME(clone),
    NAME(mmap), NAME(mprotect), NAME(memfd_create), NAME(ptrace), NAME(process_vm_readv), NAME(process_vm_writev),
    NAME(pidfd_open), NAME(pidfd_getfd), NAME(kill), NAME(tkill), NAME(tgkill), NAME(rt_sigqueueinfo), NAME(prlimit64),
    NAME(prctl), NAME(setpriority), NAME(sched_setaffinity), NAME(sched_setscheduler), NAME(unlinkat), NAME(renameat2),
    NAME(linkat), NAME(symlinkat), NAME(mkdirat), NAME(mknodat), NAME(fchmod), NAME(fchmodat), NAME(fchown),
    NAME(fchownat), NAME(truncate), NAME(ftruncate), NAME(setxattr), NAME(utimensat), NAME(getdents64), NAME(chdir),
    NAME(getcwd), NAME(mount), NAME(umount2), NAME(chroot), NAME(setns), NAME(unshare), NAME(bpf),
    NAME(perf_event_open), NAME(userfaultfd), NAME(io_uring_setup), NAME(keyctl), NAME(add_key), NAME(request_key),
    NAME(open_by_handle_at), NAME(fsopen), NAME(shmget), NAME(shmat), NAME(msgget), NAME(semget), NAME(mq_open),
    NAME(fcntl), NAME(dup), NAME(dup3), NAME(pipe2), NAME(lseek), NAME(pread64), NAME(pwrite64), NAME(readv),
    NAME(splice), NAME(sendfile), NAME(uname), NAME(getuid), NAME(setuid), NAME(capset), NAME(seccomp),
};

/* An empty file: the end of a pipe to which nobody writes. */
static int empty = -1;

/* libdispatch counts its runnable threads in /proc/…/stat when work waits, and crashes when it cannot open that. */
static bool counts_threads(const char *path) {
  static const char folder[] = "/proc/", file[] = "/stat";
  size_t length = strnlen(path, 64);
  return strncmp(path, folder, sizeof folder - 1) == 0 && length < 64 && length > sizeof file &&
         strcmp(path + length - (sizeof file - 1), file) == 0;
}

/* Answers the opening of a file: with an empty one or a refusal. */
static void answer_open(const char *path, ucontext_t *context) {
  int before = errno;
  long result = counts_threads(path) ? dup(empty) : -EACCES;
  errno = before;
#if defined(__x86_64__)
  context->uc_mcontext.gregs[REG_RAX] = result;
#elif defined(__aarch64__)
  context->uc_mcontext.regs[0] = (unsigned long long)result;
#endif
}

static const char *second_argument(const ucontext_t *context) {
#if defined(__x86_64__)
  return (const char *)context->uc_mcontext.gregs[REG_RSI];
#elif defined(__aarch64__)
  return (const char *)context->uc_mcontext.regs[1];
#else
  return "";
#endif
}

/* Only functions that are safe in a signal handler are called. */
static void answer(int signal, siginfo_t *information, void *context) {
  (void)signal;
  if (information->si_syscall == SYS_openat) return answer_open(second_argument(context), context);
  char line[96] = CONFINEMENT_VIOLATION;
  size_t length = sizeof CONFINEMENT_VIOLATION - 1;
  long call = information->si_syscall;
  char digits[24];
  size_t count = 0;
  unsigned long rest = call < 0 ? 0 : (unsigned long)call;
  do digits[count++] = (char)('0' + rest % 10);
  while ((rest /= 10) != 0);
  while (count > 0) line[length++] = digits[--count];
  for (size_t index = 0; index < sizeof names / sizeof names[0]; index++) {
    if (names[index].number != call) continue;
    line[length++] = ' ';
    size_t size = strlen(names[index].name);
    memcpy(line + length, names[index].name, size);
    length += size;
    break;
  }
  line[length++] = '\n';
  /* Without a reader the death still tells that a call was forbidden. */
  ssize_t written = write(STDERR_FILENO, line, length);
  (void)written;
  /* The filter ends the process for this. */
  syscall(SYS_rt_sigaction, SIGSYS, NULL, NULL, sizeof(long));
  _exit(128 + SIGSYS);
}

int confinement_watch_violations(void) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  close(ends[1]);
  empty = ends[0];
  struct sigaction action = {.sa_flags = SA_SIGINFO};
  action.sa_sigaction = answer;
  sigemptyset(&action.sa_mask);
  return sigaction(SIGSYS, &action, NULL);
}
