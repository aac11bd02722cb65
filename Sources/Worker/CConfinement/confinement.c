#define _GNU_SOURCE
#include "CConfinement.h"

#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int confinement_hide_memory(void) {
  struct rlimit none = {0, 0};
  if (setrlimit(RLIMIT_CORE, &none) != 0) return -1;
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

bool confinement_is_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) != 0; }

int confinement_enter_namespaces(void) { return unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC); }

int confinement_bind_to_parent(void) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

int confinement_close_from(int first) { return (int)syscall(SYS_close_range, (unsigned)first, ~0U, 0); }

int confinement_drop_capabilities(void) {
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  /* Fails without CAP_SETPCAP; such a process has nothing that could be regained, because it cannot run programs. */
  for (unsigned long capability = 0; prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0; capability++) {}
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0, 0, 0}};
  return (int)syscall(SYS_capset, &header, none);
}

/* The headers of Debian 12 know only the first version, so its numbers and later ones are written out
   (Documentation/userspace-api/landlock.rst). */
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_restrict_self 446
#endif

int confinement_close_file_system(void) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1u /* LANDLOCK_CREATE_RULESET_VERSION */);
  if (version < 0) return 0;
  struct {
    uint64_t files, network, scopes;
  } handled = {.files = 0x1fff};
  if (version >= 2) handled.files |= 1 << 13; /* moving files between folders */
  if (version >= 3) handled.files |= 1 << 14; /* truncating files */
  if (version >= 5) handled.files |= 1 << 15; /* commands to devices */
  if (version >= 4) handled.network = 3;      /* binding and connecting TCP sockets */
  if (version >= 6) handled.scopes = 3;       /* abstract sockets of others, signals to others */
  /* Every right is handled and no rule grants one. Kernels of the first versions take only the first member. */
  int rules = (int)syscall(SYS_landlock_create_ruleset, &handled, version >= 4 ? sizeof handled : sizeof handled.files, 0);
  if (rules < 0) return 0;
  long status = syscall(SYS_landlock_restrict_self, rules, 0);
  close(rules);
  return status == 0 ? (int)version : 0;
}
