#ifndef VIOLATION_H
#define VIOLATION_H

/* Makes a forbidden system call write its number and name to standard error before it ends the process, and the opening
   of a file fail. */
int confinement_watch_violations(void);

#endif
