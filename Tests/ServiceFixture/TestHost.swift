import Foundation
import Synchronization

@testable import JSON
@testable import JSONRPC

/// The host's side of a conversation: writes what a test says, reads everything that comes.
public final class TestHost: Sendable {
  /// Nil once this host is gone; its descriptors are closed with it.
  private let transport: Mutex<(any Transport)?>
  private let framing: Framing
  private let messages: MessageQueue
  private let bytes = Mutex<[UInt8]>([])

  /// - Parameter transport: the other end of the service's.
  public init(_ transport: any Transport, framing: Framing = .lines) {
    self.transport = Mutex(transport)
    self.framing = framing
    messages = MessageQueue()
    Thread.detachNewThread { [self] in read(transport) }
  }

  /// Everything that came, as it came.
  public var received: [UInt8] { bytes.withLock { $0 } }

  /// Writes a message in the framing of this host.
  public func send(_ text: String) throws { try write(frame(text)) }

  /// The bytes of a message in the framing of this host.
  public func frame(_ text: String) -> [UInt8] {
    switch framing {
    case .lines: Array("\(text)\n".utf8)
    case .headers: Array("Content-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8)
    }
  }

  /// Writes bytes as they are.
  public func write(_ bytes: [UInt8]) throws { try current?.write(bytes) }

  /// Writes a request.
  public func ask(_ id: Int, _ method: String, _ params: JSONValue = [:]) throws {
    try send(Self.text(["jsonrpc": "2.0", "id": .number(JSONNumber(id)), "method": .string(method), "params": params]))
  }

  /// Writes a notification.
  public func notify(_ method: String, _ params: JSONValue = [:]) throws {
    try send(Self.text(["jsonrpc": "2.0", "method": .string(method), "params": params]))
  }

  /// The next message; nil at the end.
  public func next() async -> JSONValue? { await messages.next() }

  /// The answer to a request, all that comes before it left out; nil when the end comes first.
  public func answer(to id: Int) async -> JSONValue? {
    while let message = await next() {
      if message["id"]?.int64 == Int64(id), message["method"] == nil { return message }
    }
    return nil
  }

  /// The next notification of this name, all that comes before it left out; nil when the end comes first.
  public func notification(_ method: String) async -> JSONValue? {
    while let message = await next() {
      if message["method"]?.string == method { return message["params"] }
    }
    return nil
  }

  /// Asks and waits for the answer.
  public func call(_ id: Int, _ method: String, _ params: JSONValue = [:]) async throws -> JSONValue? {
    try ask(id, method, params)
    return await answer(to: id)
  }

  /// Everything up to the end.
  public func rest() async -> [JSONValue] {
    var all: [JSONValue] = []
    while let message = await next() { all.append(message) }
    return all
  }

  /// Ends the service's input.
  public func closeInput() { current?.closeOutput() }

  /// Is gone: neither writes nor reads any more.
  public func leave() {
    stopReading()
    transport.withLock { $0 = nil }
  }

  /// Does not read any more.
  public func stopReading() { current?.stopReading() }

  private var current: (any Transport)? { transport.withLock { $0 } }

  private static func text(_ value: JSONValue) -> String { String(decoding: value.serialized(), as: UTF8.self) }

  private func read(_ transport: any Transport) {
    var frames = FrameParser(.fixed(framing), maximumMessageBytes: .max)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while let count = try? transport.read(into: &buffer), count > 0 {
      bytes.withLock { $0 += buffer[..<count] }
      frames.append(buffer[..<count])
      while let frame = frames.next() { pass(frame) }
    }
    if let frame = frames.finish() { pass(frame) }
    messages.end()
  }

  private func pass(_ frame: Frame) {
    // What is no JSON is passed on as text, for the test to be surprised at.
    guard case .message(let bytes) = frame else { return messages.add(.string("\(frame)")) }
    messages.add((try? JSONValue(parsing: bytes)) ?? .string(String(decoding: bytes, as: UTF8.self)))
  }
}

/// Messages in order, for one who waits for them.
private final class MessageQueue: Sendable {
  private struct State {
    var messages: [JSONValue] = []
    var hasEnded = false
    var waiting: CheckedContinuation<JSONValue?, Never>?
  }

  private let state = Mutex(State())

  func add(_ message: JSONValue) {
    let waiting = state.withLock { state in
      defer { state.waiting = nil }
      if state.waiting == nil { state.messages.append(message) }
      return state.waiting
    }
    waiting?.resume(returning: message)
  }

  func end() {
    let waiting = state.withLock { state in
      state.hasEnded = true
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(returning: nil)
  }

  func next() async -> JSONValue? {
    await withCheckedContinuation { continuation in
      let ready: JSONValue?? = state.withLock { state in
        if !state.messages.isEmpty { return .some(state.messages.removeFirst()) }
        if state.hasEnded { return .some(nil) }
        state.waiting = continuation
        return nil
      }
      if let ready { continuation.resume(returning: ready) }
    }
  }
}
