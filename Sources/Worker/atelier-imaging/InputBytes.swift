import AtelierProtocol
import CEmbedded
import CVips
import Glibc
import POSIX
import PictureFiles

/// A job's input, at a fixed address for as long as anything decodes from it.
///
/// libvips reads from the address long after the call that loaded the image, so an array's movable storage won't do.
final class InputBytes {
  /// What ``append(_:)`` can add.
  private static let room = 2

  private let buffer: UnsafeMutableRawBufferPointer
  private(set) var count: Int

  /// Reads `count` bytes; blocks until they have arrived.
  init(reading count: Int, from descriptor: Int32) throws(BlockingIO.Failure) {
    buffer = .allocate(byteCount: count + Self.room, alignment: 16)
    self.count = count
    try BlockingIO.fill(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), from: descriptor)
  }

  /// A copy of a file of the executable.
  convenience init(_ file: embedded_file) {
    self.init(copying: UnsafeRawBufferPointer(start: file.bytes, count: file.size))
  }

  private init(copying bytes: UnsafeRawBufferPointer) {
    buffer = .allocate(byteCount: bytes.count + Self.room, alignment: 16)
    count = bytes.count
    buffer.copyMemory(from: bytes)
  }

  /// Takes the last bytes away, before anything decodes from the others.
  /// - Returns: nil when there are not so many.
  func takeLast(_ taken: Int) -> InputBytes? {
    guard (0...count).contains(taken) else { return nil }
    let last = InputBytes(copying: UnsafeRawBufferPointer(rebasing: buffer[(count - taken)..<count]))
    count -= taken
    return last
  }

  /// Adds two bytes at most, before anything decodes from the others.
  func append(_ bytes: [UInt8]) {
    for byte in bytes where count < buffer.count {
      buffer[count] = byte
      count += 1
    }
  }

  /// Hides what no picture needs of an HEIC or AVIF, before anything decodes from it.
  func reduceToPicture() {
    let changes = withBytes { MediaReduction(Array($0))?.changes } ?? []
    for change in changes where change.position >= 0 && change.position + change.bytes.count <= count {
      UnsafeMutableRawBufferPointer(rebasing: buffer[change.position...]).copyBytes(from: change.bytes)
    }
  }

  /// Puts as many other bytes in place of all, before anything decodes from them.
  func replace(with bytes: [UInt8]) {
    guard bytes.count == count else { return }
    buffer.copyBytes(from: bytes)
  }

  /// Puts another byte in place of each of some, before anything decodes from them.
  func replace(_ replacements: [Int: UInt8]) {
    for (place, byte) in replacements where (0..<count).contains(place) { buffer[place] = byte }
  }

  deinit { buffer.deallocate() }

  var start: UnsafeRawPointer? { UnsafeRawPointer(buffer.baseAddress) }

  /// Passes the bytes to `body`; this object stays alive during the call.
  func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    withExtendedLifetime(self) { body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
  }
}
