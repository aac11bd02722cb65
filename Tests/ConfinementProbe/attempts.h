#ifndef ATTEMPTS_H
#define ATTEMPTS_H

#include <sys/types.h>

/// What the attempts are made on.
struct target {
  /// The process that started this one, as the service started the worker.
  pid_t host;
  /// A folder of the user with the files `key` and `database`.
  const char *folder;
};

struct attempt {
  const char *name;
  /// Returns 0 when it escaped; otherwise -1 with errno.
  int (*make)(const struct target *target);
};

extern const struct attempt attempts[];
extern const int attempt_count;

#endif
