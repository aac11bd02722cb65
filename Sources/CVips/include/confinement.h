/// What a process gives up before it touches untrusted bytes. Linux only.
#ifndef CONFINEMENT_H
#define CONFINEMENT_H

/// Forbids new privileges for this process, and asks the kernel to kill it when the thread that started it ends.
/// Returns 0, or -1 with errno.
int confinement_bind_to_parent(void);

/// Closes every descriptor from `first` on: what was inherited by accident is nobody's business here.
/// Returns 0, or -1 with errno.
int confinement_close_from(int first);

/// From here on no thread of this process can open a socket, start a process or a program, change the file system,
/// open a file for writing, or reach into another process; such calls fail with EPERM. Files can still be read:
/// libvips and libheif load their codecs when they first need them. Returns 0, or -1 with errno; ENOSYS on a
/// processor this was not written for.
int confinement_forbid_the_outside(void);

#endif
