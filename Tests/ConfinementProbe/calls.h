#ifndef CALLS_H
#define CALLS_H

/// Tries every number of a system call against the filter of system calls, without making any of them, and prints those
/// whose answer is not the expected one; at last, how many were tried.
int report_calls(void);

/// 0 when the filter allows a signal to the process itself.
int report_own_signal(void);

#endif
