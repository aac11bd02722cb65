import Glibc
import JSONRPC

/// A job's input, at one address for as long as anything decodes from it.
///
/// libvips reads from the address long after the call that loaded the image, so an array's moving storage will not do.
final class InputBytes {
  private let buffer: UnsafeMutableRawBufferPointer

  /// Reads `count` bytes; blocks until they have come.
  init(reading count: Int, from descriptor: Int32) throws(BlockingIO.Failure) {
    buffer = .allocate(byteCount: count, alignment: 16)
    try BlockingIO.fill(buffer, from: descriptor)
  }

  deinit { buffer.deallocate() }

  var start: UnsafeRawPointer? { UnsafeRawPointer(buffer.baseAddress) }
  var count: Int { buffer.count }

  /// Lends the bytes to `body`, during which this object lives.
  func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    withExtendedLifetime(self) { body(UnsafeRawBufferPointer(buffer)) }
  }
}
