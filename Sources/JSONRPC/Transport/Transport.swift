/// Two byte streams, in and out. One thread reads and one writes; both may block.
public protocol Transport: Sendable {
  /// Blocks until bytes have come and puts them at the start of `buffer`.
  /// - Returns: how many; 0 at the end of the input or after ``stopReading()``.
  func read(into buffer: inout [UInt8]) throws -> Int

  /// Makes the current and every later ``read(into:)`` return 0. Any thread.
  func stopReading()

  /// Writes everything; blocks for as long as nobody reads.
  /// - Throws: when nobody ever will.
  func write(_ bytes: [UInt8]) throws

  /// Whether ``write(_:)`` of so many bytes would not block now, as long as nobody else writes. Any thread.
  func takesAtOnce(_ count: Int) -> Bool

  /// Whether anybody is left who could read the output. Any thread.
  var hasReader: Bool { get }

  /// Blocks until nobody is left to read the output, or until ``stopWatching()``.
  /// - Returns: true when nobody is left.
  func waitUntilReaderLeaves() -> Bool

  /// Ends ``waitUntilReaderLeaves()``. Any thread.
  func stopWatching()

  /// Lets the reader see the end of the output, if the transport is free to close it. After the last write.
  func closeOutput()
}
