#define _GNU_SOURCE
#include "CConfinement.h"
#include "attempts.h"
#include "calls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/// What confines the child that makes an attempt.
struct layers {
  bool landlock, filter;
};

static bool confine(struct layers layers) {
  struct rlimit none = {0, 0};
  if (layers.landlock || layers.filter) {
    if (confinement_hide_memory() != 0 || confinement_bind_to_parent() != 0) return false;
    if (confinement_drop_capabilities() != 0 || setrlimit(RLIMIT_CORE, &none) != 0) return false;
  }
  if (layers.landlock && confinement_close_file_system() == 0 && !layers.filter) return false;
  return !layers.filter || confinement_filter_system_calls() == 0;
}

/// Makes one attempt in a child, and says how it went: `escaped`, `refused ERRNO`, `ended CALL` when the filter ended
/// the child, or `unconfined` when the system lacks what should confine it.
static void report(const struct attempt *attempt, const struct target *target, struct layers layers) {
  int answers[2], errors[2];
  if (pipe2(answers, O_CLOEXEC) != 0 || pipe2(errors, O_CLOEXEC) != 0) return;
  pid_t child = fork();
  if (child == 0) {
    dup2(errors[1], STDERR_FILENO);
    int answer = confine(layers) ? 0 : -1;
    if (answer == 0) answer = attempt->make(target) == 0 ? -2 : errno;
    _exit(write(answers[1], &answer, sizeof answer) == sizeof answer ? 0 : 1);
  }
  close(answers[1]);
  close(errors[1]);
  int answer = 0, status = 0;
  char said[256] = "";
  ssize_t answered = read(answers[0], &answer, sizeof answer);
  ssize_t length = read(errors[0], said, sizeof said - 1);
  if (length > 0 && said[length - 1] == '\n') said[length - 1] = 0;
  waitpid(child, &status, 0);
  close(answers[0]);
  close(errors[0]);
  const char *name = strrchr(said, ' ');
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS) {
    printf("%s ended%s\n", attempt->name, name == NULL ? "" : name);
  } else if (WIFSIGNALED(status)) {
    printf("%s killed %d\n", attempt->name, WTERMSIG(status));
  } else if (answered != sizeof answer || answer == -2) {
    // A child that has become another program says nothing more.
    printf("%s escaped\n", attempt->name);
  } else if (answer == -1) {
    printf("%s unconfined\n", attempt->name);
  } else {
    printf("%s refused %d\n", attempt->name, answer);
  }
}

static int report_all(const char *folder, struct layers layers) {
  const struct target target = {.host = getpid(), .folder = folder};
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (int index = 0; index < attempt_count; index++) report(&attempts[index], &target, layers);
  return 0;
}

/// Prints the version of Landlock that the kernel offers, 0 for none: asked here, and not of what is tested.
static int report_landlock(void) {
  long version = syscall(444 /* landlock_create_ruleset */, NULL, 0, 1u);
  printf("%ld\n", version < 0 ? 0 : version);
  return 0;
}

/// Runs a program on a kernel without Landlock, as far as it can see.
static int run_without_landlock(char **command) {
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 444 /* landlock_create_ruleset */, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {.len = sizeof rules / sizeof rules[0], .filter = rules};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 1;
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0) return 1;
  execv(command[0], command);
  return 1;
}

/// A worker that a picture takes over: begins its first job, and opens a socket.
static int be_taken_over(void) {
  static const char begun[] = "{\"jsonrpc\":\"2.0\",\"method\":\"job/begun\"}\n";
  char byte;
  while (read(STDIN_FILENO, &byte, 1) == 1 && byte != '\n') {}
  if (write(STDOUT_FILENO, begun, sizeof begun - 1) < 0 || !confine((struct layers){true, true})) return 1;
  syscall(SYS_socket, 1, 1, 0);
  return 1;
}

int main(int count, char **arguments) {
  const char *mode = count > 1 ? arguments[1] : "";
  const char *rest = count > 2 ? arguments[2] : NULL;
  if (strcmp(mode, "taken-over") == 0) return be_taken_over();
  if (strcmp(mode, "calls") == 0) return report_calls();
  if (strcmp(mode, "own-signal") == 0) return report_own_signal();
  if (strcmp(mode, "landlock-offered") == 0) return report_landlock();
  if (strcmp(mode, "without-landlock") == 0 && rest != NULL) return run_without_landlock(arguments + 2);
  if (strcmp(mode, "free") == 0 && rest != NULL) return report_all(rest, (struct layers){false, false});
  if (strcmp(mode, "landlock") == 0 && rest != NULL) return report_all(rest, (struct layers){true, false});
  if (strcmp(mode, "filter") == 0 && rest != NULL) return report_all(rest, (struct layers){false, true});
  if (strcmp(mode, "confined") == 0 && rest != NULL) return report_all(rest, (struct layers){true, true});
  fprintf(stderr, "usage: confinement-probe calls | own-signal | landlock-offered | free|landlock|filter|confined FOLDER\n");
  return 2;
}
