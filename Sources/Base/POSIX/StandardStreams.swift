import Glibc

/// Standard input, output and error of this process.
public enum StandardStreams {
  /// Puts something harmless in the place of each that is closed. Must be called before anything opens a file.
  ///
  /// If a process starts with a closed standard stream, the next file it opens gets that number, and a message or a
  /// log line would end up in that file.
  /// - Throws: ``SystemError``.
  public static func fillClosed() throws(SystemError) {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
      // `open` returns the lowest free number, and all lower ones are open by now. /dev/null is opened read-only, so
      // that a write to a closed output fails, as it should: nobody reads it.
      guard open("/dev/null", number == STDERR_FILENO ? O_WRONLY : O_RDONLY) == number else {
        throw .last("replace a closed standard stream")
      }
    }
  }
}
