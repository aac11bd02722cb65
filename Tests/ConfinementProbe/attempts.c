#define _GNU_SOURCE
#include "attempts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define ATTEMPT(name) static int name(const struct target *target)
#define UNUSED (void)target

static const char *in_folder(const struct target *target, const char *file) {
  static char paths[2][512];
  static int turn;
  turn = 1 - turn;
  snprintf(paths[turn], sizeof paths[turn], "%s/%s", target->folder, file);
  return paths[turn];
}

static const char *of_host(const struct target *target, const char *file) {
  static char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", target->host, file);
  return path;
}

static int read_file(const char *path) {
  char byte;
  int file = open(path, O_RDONLY);
  if (file < 0) return -1;
  ssize_t count = read(file, &byte, 1);
  if (count == 0) errno = ENODATA;
  return count > 0 ? 0 : -1;
}

static int open_only(const char *path, int flags) { return open(path, flags, 0600) < 0 ? -1 : 0; }
static int outcome(long result) { return result < 0 ? -1 : 0; }

/* A process that was started ends at once; that it could be is enough. */
static int outcome_of_child(long child) {
  if (child == 0) _exit(0);
  if (child > 0) waitpid((pid_t)child, NULL, 0);
  return outcome(child);
}

/* Files */
ATTEMPT(read_environment_of_host) { return read_file(of_host(target, "environ")); }
ATTEMPT(read_maps_of_host) { return read_file(of_host(target, "maps")); }
ATTEMPT(open_memory_of_host) { return open_only(of_host(target, "mem"), O_RDONLY); }
ATTEMPT(list_descriptors_of_host) { return open_only(of_host(target, "fd"), O_RDONLY | O_DIRECTORY); }
ATTEMPT(read_program_of_host) { return read_file(of_host(target, "exe")); }
ATTEMPT(find_program_of_host) {
  char path[256];
  return outcome(readlink(of_host(target, "exe"), path, sizeof path));
}
ATTEMPT(read_state_of_host) { return read_file(of_host(target, "stat")); }
ATTEMPT(read_own_environment) { UNUSED; return read_file("/proc/self/environ"); }
ATTEMPT(read_key_file) { return read_file(in_folder(target, "key")); }
ATTEMPT(read_database) { return read_file(in_folder(target, "database")); }
ATTEMPT(read_passwd) { UNUSED; return read_file("/etc/passwd"); }
ATTEMPT(read_by_openat2) {
  struct { unsigned long long flags, mode, resolve; } how = {O_RDONLY, 0, 0};
  return outcome(syscall(SYS_openat2, AT_FDCWD, in_folder(target, "key"), &how, sizeof how));
}
ATTEMPT(stat_key_file) { struct stat status; return stat(in_folder(target, "key"), &status); }
ATTEMPT(list_folder) { return open_only(target->folder, O_RDONLY | O_DIRECTORY); }
ATTEMPT(write_key_file) { return open_only(in_folder(target, "key"), O_WRONLY); }
ATTEMPT(create_file) { return open_only(in_folder(target, "new"), O_WRONLY | O_CREAT); }
ATTEMPT(create_unnamed_file) { return open_only(target->folder, O_RDWR | O_TMPFILE); }
ATTEMPT(truncate_file) { return truncate(in_folder(target, "database"), 1); }
ATTEMPT(remove_file) { return unlinkat(AT_FDCWD, in_folder(target, "database"), 0); }
ATTEMPT(rename_file) {
  return outcome(syscall(SYS_renameat2, AT_FDCWD, in_folder(target, "database"), AT_FDCWD, in_folder(target, "other"), 0));
}
ATTEMPT(link_file) { return linkat(AT_FDCWD, in_folder(target, "key"), AT_FDCWD, in_folder(target, "linked"), 0); }
ATTEMPT(make_symbolic_link) { return symlinkat("/etc/passwd", AT_FDCWD, in_folder(target, "symbolic")); }
ATTEMPT(make_folder) { return mkdirat(AT_FDCWD, in_folder(target, "folder"), 0700); }
ATTEMPT(make_pipe) { return mknodat(AT_FDCWD, in_folder(target, "pipe"), S_IFIFO | 0600, 0); }
ATTEMPT(change_mode) { return outcome(syscall(SYS_fchmodat, AT_FDCWD, in_folder(target, "key"), 0600)); }
ATTEMPT(change_owner) { return fchownat(AT_FDCWD, in_folder(target, "key"), -1, -1, 0); }
ATTEMPT(change_times) { return utimensat(AT_FDCWD, in_folder(target, "key"), NULL, 0); }
ATTEMPT(set_attribute) { return outcome(syscall(SYS_setxattr, in_folder(target, "key"), "user.a", "b", 1, 0)); }
ATTEMPT(open_by_handle) {
  UNUSED;
  struct { struct file_handle head; char rest[128]; } handle = {.head = {.handle_bytes = 8}};
  return outcome(open_by_handle_at(AT_FDCWD, &handle.head, O_RDONLY));
}
ATTEMPT(change_folder) { return chdir(target->folder); }
ATTEMPT(change_root) { return chroot(target->folder); }

/* Processes */
ATTEMPT(trace_host) { return outcome(ptrace(PTRACE_SEIZE, target->host, NULL, NULL)); }
ATTEMPT(read_memory_of_host) {
  char byte;
  struct iovec here = {&byte, 1}, there = {(void *)target->folder, 1};
  return outcome(process_vm_readv(target->host, &here, 1, &there, 1, 0));
}
ATTEMPT(write_memory_of_host) {
  char byte = 0;
  struct iovec here = {&byte, 0}, there = {(void *)target->folder, 0};
  return outcome(process_vm_writev(target->host, &here, 1, &there, 1, 0));
}
ATTEMPT(hold_host) { return outcome(syscall(SYS_pidfd_open, target->host, 0)); }
ATTEMPT(take_descriptor_of_host) { UNUSED; return outcome(syscall(SYS_pidfd_getfd, 0, 0, 0)); }
ATTEMPT(signal_host) { return kill(target->host, 0); }
ATTEMPT(signal_thread_of_host) { return outcome(syscall(SYS_tgkill, target->host, target->host, 0)); }
ATTEMPT(queue_signal_to_host) {
  siginfo_t information = {.si_code = SI_QUEUE};
  return outcome(syscall(SYS_rt_sigqueueinfo, target->host, 0, &information));
}
ATTEMPT(read_limits_of_host) {
  struct rlimit limit;
  return outcome(syscall(SYS_prlimit64, target->host, RLIMIT_NOFILE, NULL, &limit));
}
ATTEMPT(raise_own_limit) {
  UNUSED;
  struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
  return setrlimit(RLIMIT_CORE, &limit);
}
ATTEMPT(start_process) { UNUSED; return outcome_of_child(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }
ATTEMPT(start_process_by_clone3) {
  UNUSED;
  unsigned long long arguments[8] = {0, 0, 0, 0, SIGCHLD};
  return outcome_of_child(syscall(SYS_clone3, arguments, sizeof arguments));
}
ATTEMPT(start_process_in_namespace) {
  UNUSED;
  return outcome_of_child(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
}
ATTEMPT(run_program) {
  UNUSED;
  char *arguments[] = {"/bin/true", NULL};
  return execve(arguments[0], arguments, NULL);
}
ATTEMPT(run_program_in_memory) {
  UNUSED;
  char *arguments[] = {"program", NULL};
  int file = memfd_create("program", 0);
  if (file < 0 || write(file, "#!/bin/true\n", 12) != 12) return -1;
  return outcome(syscall(SYS_execveat, file, "", arguments, NULL, AT_EMPTY_PATH));
}
ATTEMPT(run_program_of_descriptor) {
  UNUSED;
  char *arguments[] = {"program", NULL};
  return outcome(syscall(SYS_execveat, 0, "", arguments, NULL, AT_EMPTY_PATH));
}
ATTEMPT(map_code) {
  UNUSED;
  return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0;
}
ATTEMPT(make_memory_code) {
  UNUSED;
  void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return mprotect(memory, 4096, PROT_READ | PROT_EXEC);
}

/* Networks */
ATTEMPT(open_tcp_socket) { UNUSED; return outcome(socket(AF_INET, SOCK_STREAM, 0)); }
ATTEMPT(open_udp_socket) { UNUSED; return outcome(socket(AF_INET6, SOCK_DGRAM, 0)); }
ATTEMPT(open_netlink_socket) { UNUSED; return outcome(socket(AF_NETLINK, SOCK_RAW, 0)); }
ATTEMPT(open_unix_socket) { UNUSED; return outcome(socket(AF_UNIX, SOCK_STREAM, 0)); }
ATTEMPT(open_socket_pair) { UNUSED; int ends[2]; return socketpair(AF_UNIX, SOCK_STREAM, 0, ends); }
ATTEMPT(connect_descriptor) {
  UNUSED;
  struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "\0abstract"};
  return connect(0, (struct sockaddr *)&address, sizeof address);
}
ATTEMPT(send_descriptor) { UNUSED; struct msghdr message = {0}; return outcome(sendmsg(1, &message, 0)); }

/* The kernel's other interfaces */
ATTEMPT(set_up_io_uring) { UNUSED; char parameters[120] = {0}; return outcome(syscall(SYS_io_uring_setup, 1, parameters)); }
ATTEMPT(handle_page_faults) { UNUSED; return outcome(syscall(SYS_userfaultfd, 1)); }
ATTEMPT(use_keys) { UNUSED; return outcome(syscall(SYS_keyctl, 0, -3, 1)); }
ATTEMPT(add_key) { UNUSED; return outcome(syscall(SYS_add_key, "user", "a", "b", 1, -2)); }
ATTEMPT(load_kernel_program) {
  UNUSED;
  char attributes[128] = {0};
  return outcome(syscall(SYS_bpf, 0, attributes, sizeof attributes));
}
ATTEMPT(measure_performance) {
  UNUSED;
  struct perf_event_attr attributes = {.type = PERF_TYPE_SOFTWARE, .size = sizeof attributes, .exclude_kernel = 1};
  return outcome(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
}
ATTEMPT(open_file_system) { UNUSED; return outcome(syscall(SYS_fsopen, "tmpfs", 0)); }
ATTEMPT(mount_file_system) { return outcome(syscall(SYS_mount, "none", target->folder, "tmpfs", 0, NULL)); }
ATTEMPT(enter_namespace) { UNUSED; return setns(0, CLONE_NEWNET); }
ATTEMPT(leave_namespace) { UNUSED; return unshare(CLONE_NEWUSER); }
ATTEMPT(share_memory) {
  UNUSED;
  long segment = syscall(SYS_shmget, 0, 4096, 0600);
  return segment < 0 ? -1 : outcome(syscall(SYS_shmctl, segment, IPC_RMID, NULL));
}
ATTEMPT(queue_messages) {
  UNUSED;
  long queue = syscall(SYS_msgget, 0, 0600);
  return queue < 0 ? -1 : outcome(syscall(SYS_msgctl, queue, IPC_RMID, NULL));
}
ATTEMPT(share_semaphores) {
  UNUSED;
  long set = syscall(SYS_semget, 0, 1, 0600);
  return set < 0 ? -1 : outcome(syscall(SYS_semctl, set, 0, IPC_RMID, 0));
}
ATTEMPT(open_message_queue) {
  UNUSED;
  long queue = syscall(SYS_mq_open, "probe", O_CREAT | O_RDWR, 0600, NULL);
  return queue < 0 ? -1 : outcome(syscall(SYS_mq_unlink, "probe"));
}
ATTEMPT(push_terminal_input) { UNUSED; return ioctl(0, TIOCSTI, "x"); }
ATTEMPT(show_memory) { UNUSED; return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); }
ATTEMPT(survive_parent) { UNUSED; return prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0); }
ATTEMPT(regain_capabilities) {
  UNUSED;
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct all[2] = {{~0u, ~0u, 0}, {~0u, ~0u, 0}};
  return outcome(syscall(SYS_capset, &header, all));
}
ATTEMPT(become_root) { UNUSED; return outcome(syscall(SYS_setuid, 0)); }
ATTEMPT(replace_filter) { UNUSED; return outcome(syscall(SYS_seccomp, 1, 0, NULL)); }
ATTEMPT(survive_violations) { UNUSED; return signal(SIGSYS, SIG_IGN) == SIG_ERR ? -1 : 0; }
#ifdef __x86_64__
ATTEMPT(call_as_x32) { UNUSED; return outcome(syscall(0x40000000 | SYS_getpid)); }
ATTEMPT(call_as_32_bit) {
  UNUSED;
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(20 /* getpid */) : "memory", "r8", "r9", "r10", "r11");
  return outcome(result);
}
#endif

#define ENTRY(name) {#name, name}
const struct attempt attempts[] = {
    ENTRY(read_environment_of_host), ENTRY(read_maps_of_host), ENTRY(open_memory_of_host),
    ENTRY(list_descriptors_of_host), ENTRY(read_program_of_host), ENTRY(find_program_of_host),
    ENTRY(read_state_of_host), ENTRY(read_own_environment), ENTRY(read_key_file), ENTRY(read_database),
    ENTRY(read_passwd), ENTRY(read_by_openat2), ENTRY(stat_key_file), ENTRY(list_folder), ENTRY(write_key_file),
    ENTRY(create_file), ENTRY(create_unnamed_file), ENTRY(truncate_file), ENTRY(link_file), ENTRY(make_symbolic_link),
    ENTRY(make_folder), ENTRY(make_pipe), ENTRY(change_mode), ENTRY(change_owner), ENTRY(change_times),
    ENTRY(set_attribute), ENTRY(open_by_handle), ENTRY(change_folder), ENTRY(change_root), ENTRY(rename_file),
    ENTRY(remove_file), ENTRY(trace_host), ENTRY(read_memory_of_host), ENTRY(write_memory_of_host), ENTRY(hold_host),
    ENTRY(take_descriptor_of_host), ENTRY(signal_host), ENTRY(signal_thread_of_host), ENTRY(queue_signal_to_host),
    ENTRY(read_limits_of_host), ENTRY(raise_own_limit), ENTRY(start_process), ENTRY(start_process_by_clone3),
    ENTRY(start_process_in_namespace), ENTRY(run_program), ENTRY(run_program_in_memory),
    ENTRY(run_program_of_descriptor), ENTRY(map_code), ENTRY(make_memory_code), ENTRY(open_tcp_socket),
    ENTRY(open_udp_socket), ENTRY(open_netlink_socket), ENTRY(open_unix_socket), ENTRY(open_socket_pair),
    ENTRY(connect_descriptor), ENTRY(send_descriptor), ENTRY(set_up_io_uring), ENTRY(handle_page_faults),
    ENTRY(use_keys), ENTRY(add_key), ENTRY(load_kernel_program), ENTRY(measure_performance), ENTRY(open_file_system),
    ENTRY(mount_file_system), ENTRY(enter_namespace), ENTRY(leave_namespace), ENTRY(share_memory),
    ENTRY(queue_messages), ENTRY(share_semaphores), ENTRY(open_message_queue), ENTRY(push_terminal_input),
    ENTRY(show_memory), ENTRY(survive_parent), ENTRY(regain_capabilities), ENTRY(become_root), ENTRY(replace_filter),
    ENTRY(survive_violations),
#ifdef __x86_64__
    ENTRY(call_as_x32), ENTRY(call_as_32_bit),
#endif
};
const int attempt_count = sizeof attempts / sizeof attempts[0];
