import Synchronization

/// A secret that may change while this process runs, because somebody replaces it or because it ends: a key in a file, in a
/// keyring or in an environment.
///
/// Whoever uses it asks for it each time anew (``current()``), and says when the other side has refused it
/// (``renewed(after:)``). It is read again
/// - when one of its files is another one or has changed, as its metadata tell;
/// - from ``leadMs`` before its end, if it says when that is;
/// - after the other side has refused it: at once after the first refusal of a value, then every ``pauseMs`` at most.
///
/// What was read once stays in use while nothing else can be read: a file may be half written, and a keyring locked.
public final class RenewableSecret<Value: Sendable & Equatable>: Sendable {
  /// A value as it was read.
  public struct Reading: Sendable {
    public let value: Value
    /// Increases with each value that differs from the one before.
    fileprivate let number: Int
  }

  private struct State {
    var reading: Reading?
    /// Why the last try to read gave nothing.
    var failure: (any Error)?
    /// Of the files at that try.
    var stamp: [FileStatus?]?
    var triedAtMs: Int64?
    /// The number of the value that was last refused.
    var refused: Int?
  }

  private let files: [String]
  private let end: @Sendable (Value) -> Int64?
  private let nowMs: @Sendable () -> Int64
  private let uptimeMs: @Sendable () -> Int64
  private let read: @Sendable () throws -> Value
  private let state = Mutex(State())

  /// - Parameters:
  ///   - files: the paths of the files that it comes from; empty where only a refusal tells that it has changed.
  ///   - end: when a value ends, in milliseconds since 1970; nil for one that does not say so.
  ///   - nowMs: milliseconds since 1970.
  ///   - uptimeMs: milliseconds on a clock that never jumps.
  ///   - read: may block, and may be called by several threads at once.
  public init(
    files: [String] = [], end: @escaping @Sendable (Value) -> Int64? = { _ in nil },
    nowMs: @escaping @Sendable () -> Int64, uptimeMs: @escaping @Sendable () -> Int64,
    read: @escaping @Sendable () throws -> Value
  ) {
    (self.files, self.end) = (files, end)
    (self.nowMs, self.uptimeMs, self.read) = (nowMs, uptimeMs, read)
  }

  /// One that never changes.
  public convenience init(constant value: Value) {
    self.init(nowMs: { 0 }, uptimeMs: { 0 }, read: { value })
  }

  /// The value to use now. Blocks, for as long as looking at the files takes or reading.
  /// - Throws: what reading throws, as long as nothing was ever read.
  public func current() throws -> Reading {
    let stamp = files.map { try? FileStatus(path: $0, followingLinks: true) }
    let known = state.withLock { state in isDue(state, stamp) ? nil : state.reading }
    return try known ?? readAgain(stamp)
  }

  /// Another value than the one that the other side has refused. Blocks.
  /// - Returns: nil when there is none, so that the refusal stands.
  public func renewed(after refused: Reading) -> Reading? {
    guard let known = try? current() else { return nil }
    if known.number != refused.number { return known }
    let mayRead = state.withLock { state in
      defer { state.refused = refused.number }
      return state.refused != refused.number || hasPaused(state)
    }
    guard mayRead, let again = try? readAgain(files.map { try? FileStatus(path: $0, followingLinks: true) }) else {
      return nil
    }
    return again.number == refused.number ? nil : again
  }

  /// Why the last try to read gave nothing, though an earlier value may still be in use; nil when it gave one.
  public var failure: (any Error)? { state.withLock { $0.failure } }

  private func isDue(_ state: State, _ stamp: [FileStatus?]) -> Bool {
    guard let reading = state.reading, state.stamp == stamp else { return true }
    guard hasPaused(state) else { return false }
    return state.failure != nil || end(reading.value).map { $0 <= nowMs() + Self.leadMs } == true
  }

  private func hasPaused(_ state: State) -> Bool { state.triedAtMs.map { uptimeMs() - $0 >= Self.pauseMs } ?? true }

  private func readAgain(_ stamp: [FileStatus?]) throws -> Reading {
    let result = Result { try read() }
    return try state.withLock { state in
      (state.stamp, state.triedAtMs) = (stamp, uptimeMs())
      switch result {
      case .success(let value):
        state.failure = nil
        if let reading = state.reading, reading.value == value { return reading }
        let reading = Reading(value: value, number: (state.reading?.number ?? 0) + 1)
        state.reading = reading
        return reading
      case .failure(let error):
        state.failure = error
        guard let reading = state.reading else { throw error }
        return reading
      }
    }
  }
}

extension RenewableSecret {
  /// How long before its end a value is looked for that lasts longer, in milliseconds.
  public static var leadMs: Int64 { 5 * 60_000 }
  /// The shortest time between two tries to read that nothing but the time gives a reason for, in milliseconds.
  public static var pauseMs: Int64 { 5_000 }
}
