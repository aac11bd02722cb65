#define _GNU_SOURCE
#include "confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define CONFINEMENT_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define CONFINEMENT_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

int confinement_bind_to_parent(void) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

int confinement_close_from(int first) { return (int)syscall(SYS_close_range, (unsigned)first, ~0U, 0); }

#ifdef CONFINEMENT_ARCHITECTURE

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
/* Both processors are little-endian: the low half of an argument comes first. */
#define LOAD_ARGUMENT(index) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[index]))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define ALLOW ANSWER(SECCOMP_RET_ALLOW)
#define REFUSE(code) ANSWER(SECCOMP_RET_ERRNO | (code))

#define REFUSE_CALL(name, code) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), REFUSE(code)

/* Refuses the call when the argument has any of the flags. */
#define REFUSE_CALL_WITH(name, index, flags, code)                                                  \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 4), LOAD_ARGUMENT(index),                      \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (flags), 0, 1), REFUSE(code), ALLOW

/* Refuses the call when the argument lacks the flag. */
#define REFUSE_CALL_WITHOUT(name, index, flag, code)                                                \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 4), LOAD_ARGUMENT(index),                      \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (flag), 1, 0), REFUSE(code), ALLOW

/* O_TMPFILE shares a bit with O_DIRECTORY, but is only accepted together with an access mode that writes. */
#define WRITING (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)

static struct sock_filter rules[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CONFINEMENT_ARCHITECTURE, 1, 0),
    ANSWER(SECCOMP_RET_KILL_PROCESS),
    LOAD(nr),
#ifdef __x86_64__
    /* The x32 variant of every call has this bit and would slip past the comparisons. */
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
    ANSWER(SECCOMP_RET_KILL_PROCESS),
    REFUSE_CALL(fork, EPERM),
    REFUSE_CALL(vfork, EPERM),
    REFUSE_CALL(creat, EPERM),
    REFUSE_CALL(unlink, EPERM),
    REFUSE_CALL(rename, EPERM),
    REFUSE_CALL(link, EPERM),
    REFUSE_CALL(symlink, EPERM),
    REFUSE_CALL(mkdir, EPERM),
    REFUSE_CALL(rmdir, EPERM),
    REFUSE_CALL(chmod, EPERM),
    REFUSE_CALL(chown, EPERM),
    REFUSE_CALL(lchown, EPERM),
    REFUSE_CALL(mknod, EPERM),
    REFUSE_CALL(utime, EPERM),
    REFUSE_CALL(utimes, EPERM),
    REFUSE_CALL(futimesat, EPERM),
    REFUSE_CALL_WITH(open, 1, WRITING, EPERM),
#endif
    REFUSE_CALL(socket, EPERM),
    REFUSE_CALL(socketpair, EPERM),
    REFUSE_CALL(connect, EPERM),
    REFUSE_CALL(bind, EPERM),
    REFUSE_CALL(listen, EPERM),
    REFUSE_CALL(execve, EPERM),
    REFUSE_CALL(execveat, EPERM),
    /* The C library falls back to clone, whose flags can be looked at, when clone3 and openat2 do not exist. */
    REFUSE_CALL(clone3, ENOSYS),
    REFUSE_CALL(openat2, ENOSYS),
    REFUSE_CALL_WITHOUT(clone, 0, CLONE_THREAD, EPERM),
    REFUSE_CALL_WITH(openat, 2, WRITING, EPERM),
    REFUSE_CALL(unlinkat, EPERM),
    REFUSE_CALL(renameat, EPERM),
    REFUSE_CALL(renameat2, EPERM),
    REFUSE_CALL(linkat, EPERM),
    REFUSE_CALL(symlinkat, EPERM),
    REFUSE_CALL(mkdirat, EPERM),
    REFUSE_CALL(mknodat, EPERM),
    REFUSE_CALL(fchmod, EPERM),
    REFUSE_CALL(fchmodat, EPERM),
    REFUSE_CALL(fchown, EPERM),
    REFUSE_CALL(fchownat, EPERM),
    REFUSE_CALL(utimensat, EPERM),
    REFUSE_CALL(truncate, EPERM),
    REFUSE_CALL(setxattr, EPERM),
    REFUSE_CALL(kill, EPERM),
    REFUSE_CALL(ptrace, EPERM),
    REFUSE_CALL(process_vm_readv, EPERM),
    REFUSE_CALL(process_vm_writev, EPERM),
    REFUSE_CALL(pidfd_open, EPERM),
    REFUSE_CALL(pidfd_getfd, EPERM),
    REFUSE_CALL(pidfd_send_signal, EPERM),
    REFUSE_CALL(mount, EPERM),
    REFUSE_CALL(umount2, EPERM),
    REFUSE_CALL(chroot, EPERM),
    REFUSE_CALL(setns, EPERM),
    REFUSE_CALL(unshare, EPERM),
    REFUSE_CALL(bpf, EPERM),
    REFUSE_CALL(perf_event_open, EPERM),
    REFUSE_CALL(io_uring_setup, ENOSYS),
    REFUSE_CALL(userfaultfd, EPERM),
    REFUSE_CALL(keyctl, EPERM),
    REFUSE_CALL(add_key, EPERM),
    REFUSE_CALL(request_key, EPERM),
    ALLOW,
};

int confinement_forbid_the_outside(void) {
  struct sock_fprog program = {.len = sizeof rules / sizeof rules[0], .filter = rules};
  /* All threads at once: any the runtime has started already must not be a way out. */
  long status = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  if (status > 0) errno = EAGAIN;
  return status == 0 ? 0 : -1;
}

#else

int confinement_forbid_the_outside(void) {
  errno = ENOSYS;
  return -1;
}

#endif
