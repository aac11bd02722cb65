import Glibc

/// Whole reads and writes on descriptors that block; for dedicated threads only.
public enum BlockingIO {
  /// The other end was closed before everything had passed, or the system refused.
  public struct Failure: Error, Sendable, Equatable {
    /// 0 at the end of the input, else an `errno`.
    public var code: Int32
  }

  /// Writes all of `bytes`.
  public static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
    var written = 0
    while written < bytes.count {
      // The pointer is used only inside the closure, and the offset stays below the count.
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
      }
      if count > 0 {
        written += count
      } else if errno != EINTR {
        throw Failure(code: errno)
      }
    }
  }

  /// Reads exactly `count` bytes.
  public static func read(_ count: Int, from descriptor: Int32) throws(Failure) -> [UInt8] {
    var failure: Failure?
    // The closure tells how much it has initialised; less than `count` only together with a failure.
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialised in
      initialised = 0
      while initialised < count {
        let step = Glibc.read(descriptor, buffer.baseAddress.map { $0 + initialised }, count - initialised)
        if step > 0 {
          initialised += step
        } else if step == 0 {
          failure = Failure(code: 0)
          return
        } else if errno != EINTR {
          failure = Failure(code: errno)
          return
        }
      }
    }
    if let failure { throw failure }
    return bytes
  }
}
