import Foundation
import Glibc
import JSON
import POSIX
import Synchronization

/// The built service as a child of the test, a message a line. What it writes is read by a thread of its own.
///
/// The process never outlives the value, and is always collected.
public final class ServiceChild: Sendable {
  public let output = SharedState(ServiceOutput())
  private let life: ServiceLife
  private let errors = SharedState(Diagnostics())
  private let input: Mutex<Int32?>
  /// Nil once it is read, or closed.
  private let unread: Mutex<Int32?>
  private let lastID = Mutex(0)

  /// Starts `atelier --data-dir dataDirectory arguments…`.
  /// - Parameters:
  ///   - launcher: a command that makes itself the service, such as `setpriv …`.
  ///   - executable: another copy of the service.
  ///   - environment: what it finds in its environment besides a few common variables, as `NAME=value`.
  ///   - isRead: false leaves its standard output unread until ``beginReading()``.
  /// - Throws: `SystemError`.
  public convenience init(
    dataDirectory: String, _ arguments: [String] = [], launcher: [String] = [],
    executable: String = ServiceExecutable.path, environment: [String] = [], isRead: Bool = true
  ) throws {
    try self.init(
      command: launcher + [executable, "--data-dir", dataDirectory] + arguments, environment: environment,
      isRead: isRead)
  }

  /// Starts any program.
  /// - Parameter command: the program's path, then its arguments.
  /// - Throws: `SystemError`.
  public init(command: [String], environment: [String] = [], isRead: Bool = true) throws {
    // A service that dies while it is written to is what these tests are about.
    Glibc.signal(SIGPIPE, SIG_IGN)
    let toService = try Self.pipe()
    let fromService = try Self.pipe()
    let diagnostics = try Self.pipe()
    defer { for number in [toService.reading, fromService.writing, diagnostics.writing] { close(number) } }
    life = ServiceLife(
      collecting: try PosixSpawn.start(
        command[0], Array(command.dropFirst()),
        environment: ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "HOME=/nonexistent"] + environment,
        descriptors: [(toService.reading, 0), (fromService.writing, 1), (diagnostics.writing, 2)],
        operation: "start \(command[0])"))
    input = Mutex(toService.writing)
    unread = Mutex(fromService.reading)
    Thread.detachNewThread { [errors] in
      ServiceStream.read(diagnostics.reading) { bytes in errors.change { $0.bytes += bytes } }
      errors.change { $0.isAtEnd = true }
    }
    if isRead { beginReading() }
  }

  /// A pipe both ends of which are closed on `exec`.
  /// - Throws: `SystemError`.
  private static func pipe() throws(SystemError) -> (reading: Int32, writing: Int32) {
    // Closed on `exec` from the beginning: other tests start processes at the same moment. The module map of the C
    // library leaves pipe2 out; the type is its declaration, `int pipe2(int ends[2], int flags)`.
    typealias Pipe2 = @convention(c) (UnsafeMutablePointer<Int32>, Int32) -> Int32
    guard let symbol = dlsym(nil, "pipe2") else { throw SystemError(code: ENOSYS, operation: "make a pipe") }
    var ends: [Int32] = [-1, -1]
    guard unsafeBitCast(symbol, to: Pipe2.self)(&ends, O_CLOEXEC) == 0 else {
      throw SystemError(code: errno, operation: "make a pipe")
    }
    return (ends[0], ends[1])
  }

  public var processID: Int32 { life.processID }

  // MARK: Writing

  /// Writes bytes as they are; what a dead service cannot read is lost.
  public func write(_ bytes: [UInt8]) {
    input.withLock { number in
      guard let number else { return }
      var offset = 0
      while offset < bytes.count {
        let count = bytes[offset...].withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return }
        offset += count
      }
    }
  }

  /// Writes a request.
  /// - Returns: its id, to wait with.
  @discardableResult
  public func ask(_ method: String, _ params: JSONValue = [:]) -> Int {
    let id = lastID.withLock { last in
      last += 1
      return last
    }
    let message: JSONValue = [
      "jsonrpc": "2.0", "id": .number(JSONNumber(id)), "method": .string(method), "params": params,
    ]
    write(message.serialized() + [UInt8(ascii: "\n")])
    return id
  }

  /// Ends its input.
  public func closeInput() {
    input.withLock { number in
      if let number { close(number) }
      number = nil
    }
  }

  // MARK: Reading

  /// Begins to read its standard output, if nobody does.
  public func beginReading() {
    guard let number = takeUnread() else { return }
    output.fill(from: number)
  }

  /// Closes its standard output unread; it must not be read yet.
  public func closeOutput() {
    if let number = takeUnread() { close(number) }
  }

  private func takeUnread() -> Int32? {
    unread.withLock { number in
      defer { number = nil }
      return number
    }
  }

  /// The answer to the request `id`: the whole message.
  /// - Throws: ``ServiceSilence`` when the output ends without it; `CancellationError`.
  public func answer(to id: Int) async throws -> JSONValue {
    let output = try await output.wait { $0.isAtEnd || $0.answer(to: id) != nil }
    guard let answer = output.answer(to: id) else { throw silence("the answer to request \(id)") }
    return answer
  }

  /// Writes a request and waits for its answer: the whole message.
  /// - Throws: as ``answer(to:)``.
  public func call(_ method: String, _ params: JSONValue = [:]) async throws -> JSONValue {
    try await answer(to: ask(method, params))
  }

  /// The params of the first notification `isWanted` is true of.
  /// - Throws: ``ServiceSilence``, `CancellationError`.
  public func notification(
    _ method: String, where isWanted: @escaping @Sendable (JSONValue) -> Bool = { _ in true }
  ) async throws -> JSONValue {
    let find: @Sendable (ServiceOutput) -> JSONValue? = { output in
      output.messages.first { $0["method"]?.string == method && $0["params"].map(isWanted) == true }?["params"]
    }
    let output = try await output.wait { $0.isAtEnd || find($0) != nil }
    guard let params = find(output) else { throw silence(method) }
    return params
  }

  /// What it has written to its standard error so far.
  public var errorText: String { errors.value.text }

  /// Waits until what it has written to its standard error is as wanted, or all there is.
  /// - Throws: `CancellationError`.
  public func waitForErrorText(_ isWanted: @escaping @Sendable (String) -> Bool) async throws {
    try await errors.wait { $0.isAtEnd || isWanted($0.text) }
  }

  /// All that it has written to its standard error; waits until it and its children have ended.
  /// - Throws: `CancellationError`.
  public func wholeErrorText() async throws -> String { try await errors.wait { $0.isAtEnd }.text }

  private struct Diagnostics: Sendable {
    var bytes: [UInt8] = []
    var isAtEnd = false
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  private func silence(_ awaited: String) -> ServiceSilence { ServiceSilence(awaited: awaited, errors: errorText) }

  // MARK: Ending

  /// Sends a signal, unless the process has ended.
  public func signal(_ number: Int32) { life.signal(number) }

  /// Waits until the process has ended and been collected.
  /// - Throws: `CancellationError`.
  public func ended() async throws -> ServiceEnd {
    try await life.end.wait { $0 != nil } ?? .exited(-1)
  }

  /// Kills the process at once and collects it.
  /// - Throws: `CancellationError`.
  @discardableResult
  public func killed() async throws -> ServiceEnd {
    signal(SIGKILL)
    return try await ended()
  }

  /// Ends its input, and waits until it has finished what it has to do and everything it wrote is here.
  /// - Throws: `CancellationError`.
  public func finished() async throws -> ServiceEnd {
    closeInput()
    let end = try await ended()
    try await output.wait { $0.isAtEnd }
    return end
  }

  deinit {
    signal(SIGKILL)
    closeInput()
    closeOutput()
  }
}
