import Glibc

/// Complete reads and writes that block until they are done, also on a descriptor that somebody made non-blocking; for
/// dedicated threads only.
package enum BlockingIO {
  /// The other end was closed before all bytes were transferred, or the system call failed.
  package struct Failure: Error, Sendable, Equatable {
    /// 0 at the end of the input, else an `errno`.
    package var code: Int32
  }

  /// Writes all of `bytes`.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
    var written = 0
    while written < bytes.count {
      // The pointer is used only inside the closure, and the offset stays below the count.
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
      }
      if count > 0 {
        written += count
      } else if count == 0 {
        // No call failed, so `errno` says nothing.
        throw Failure(code: EIO)
      } else {
        try wait(for: POLLOUT, on: descriptor, after: errno)
      }
    }
  }

  /// Prepares the next try after a call that failed.
  /// - Throws: when another try would not help.
  private static func wait(for event: Int32, on descriptor: Int32, after code: Int32) throws(Failure) {
    switch code {
    case EINTR: break
    // A program that shares the open file has made it non-blocking.
    case EAGAIN: _ = Descriptor.poll([(descriptor, event)])
    default: throw Failure(code: code)
    }
  }

  /// Reads exactly `count` bytes.
  package static func read(_ count: Int, from descriptor: Int32) throws(Failure) -> [UInt8] {
    var failure: Failure?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialised in
      do throws(Failure) {
        // The buffer may be larger than requested.
        let wanted = UnsafeMutableBufferPointer(rebasing: buffer[..<count])
        try fill(UnsafeMutableRawBufferPointer(wanted), from: descriptor)
        initialised = count
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Reads until `buffer` is full. On failure its content is undefined.
  package static func fill(_ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32) throws(Failure) {
    var filled = 0
    while filled < buffer.count {
      // The offset stays below the count, so the region is inside the buffer.
      let count = Glibc.read(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
      if count > 0 {
        filled += count
      } else if count == 0 {
        throw Failure(code: 0)
      } else {
        try wait(for: POLLIN, on: descriptor, after: errno)
      }
    }
  }

  /// Reads what there is, at least one byte, to the start of `buffer`.
  /// - Returns: the number of bytes; 0 at the end of the input.
  package static func readSome(into buffer: inout [UInt8], from descriptor: Int32) throws(Failure) -> Int {
    while true {
      // The region is valid during the call, and `read` writes no more than its length.
      let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 { return count }
      try wait(for: POLLIN, on: descriptor, after: errno)
    }
  }
}
