import Foundation
import Glibc
import JSON
import JSONRPC
import Synchronization
import ServiceFixture

/// The built executable, speaking the protocol with a host.
final class ServiceProcess: Sendable {
  /// What becomes of what it writes to standard error.
  enum StandardError: Sendable {
    /// Kept, to be looked at.
    case kept
    case closed
    /// A pipe that is full and that nobody reads.
    case full
  }

  let host: TestHost
  let processID: Int32
  /// The status it ends with; for a signal its number and 128.
  let exitStatus: ExitStatus
  private let errors: TextReader?
  /// The reading end of a full pipe, open for as long as the process lives, so that writing there waits.
  private let unread: FileHandle?

  /// - Parameters:
  ///   - program: what to run; the service unless a test puts something round it.
  init(
    _ arguments: [String], program: String = Executable.path, framing: Framing = .lines,
    standardError: StandardError = .kept
  ) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: Fixture.project)
    process.environment = Executable.environment
    let input = try PipeEnds()
    let output = try PipeEnds()
    process.standardInput = input.reading
    process.standardOutput = output.writing
    let errorPipe = try PipeEnds()
    switch standardError {
    case .kept: errors = TextReader(errorPipe.reading)
    case .closed:
      errors = nil
      try errorPipe.reading.close()
    case .full:
      errors = nil
      try errorPipe.fill()
    }
    unread = standardError == .full ? errorPipe.reading : nil
    process.standardError = errorPipe.writing
    let exitStatus = ExitStatus()
    self.exitStatus = exitStatus
    process.terminationHandler = { process in
      exitStatus.set((process.terminationReason == .uncaughtSignal ? 128 : 0) + process.terminationStatus)
    }
    try process.run()
    processID = process.processIdentifier
    try input.reading.close()
    try output.writing.close()
    try errorPipe.writing.close()
    host = TestHost(
      try StdioTransport(
        input: try output.duplicateReading(), output: try input.duplicateWriting(), ownsDescriptors: true),
      framing: framing)
    try output.reading.close()
    try input.writing.close()
  }

  /// Everything it wrote to standard error, once that has ended.
  var errorText: String { get async { await errors?.text ?? "" } }

  /// Sends a signal.
  func signal(_ number: Int32) { kill(processID, number) }

  /// Where a descriptor of it points to, such as `pipe:[123]`.
  func target(ofDescriptor number: Int) throws -> String {
    try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(processID)/fd/\(number)")
  }

  /// Ends the input and waits for the end.
  /// - Returns: what still came, and the status.
  func finish() async -> (rest: [JSONValue], status: Int32) {
    host.closeInput()
    return (await host.rest(), await exitStatus.value)
  }
}

/// A pipe of which no child inherits more than it is given.
struct PipeEnds {
  let reading: FileHandle
  let writing: FileHandle

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reading = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    writing = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
  }

  func duplicateReading() throws -> Int32 { try Self.duplicate(reading) }
  func duplicateWriting() throws -> Int32 { try Self.duplicate(writing) }

  private static func duplicate(_ handle: FileHandle) throws -> Int32 {
    let number = fcntl(handle.fileDescriptor, F_DUPFD_CLOEXEC, 3)
    guard number >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    return number
  }

  /// Writes until nothing more goes in, then leaves the pipe as it was: one that blocks its writers.
  func fill() throws {
    let number = writing.fileDescriptor
    let flags = fcntl(number, F_GETFL)
    _ = fcntl(number, F_SETFL, flags | O_NONBLOCK)
    let block = [UInt8](repeating: 0, count: 4096)
    while block.withUnsafeBytes({ Glibc.write(number, $0.baseAddress, $0.count) }) > 0 {}
    _ = fcntl(number, F_SETFL, flags)
  }
}

/// Reads a stream to its end, on a thread of its own.
final class TextReader: Sendable {
  private struct State {
    var text: String?
    var waiting: [CheckedContinuation<String, Never>] = []
  }

  private let state = Mutex(State())

  init(_ handle: FileHandle) {
    Thread.detachNewThread { [self] in
      let text = String(decoding: (try? handle.readToEnd()) ?? Data(), as: UTF8.self)
      let waiting = state.withLock { state in
        state.text = text
        return state.waiting
      }
      for continuation in waiting { continuation.resume(returning: text) }
    }
  }

  /// Everything, once the stream has ended.
  var text: String {
    get async {
      await withCheckedContinuation { continuation in
        let text = state.withLock { state in
          if state.text == nil { state.waiting.append(continuation) }
          return state.text
        }
        if let text { continuation.resume(returning: text) }
      }
    }
  }
}
