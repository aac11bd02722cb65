import AtelierProtocol
import POSIX

/// The connection in use, and the start of the next one if it is lost.
actor CurrentConnection {
  private struct Attempt {
    let task: Task<Void, Never>
    let outcome: Promise<Result<ServiceConnection, any Error>>
  }

  private let options: Studio.Options
  private let open: @Sendable () async throws -> ServiceConnection
  private var connection: ServiceConnection?
  private var attempt: Attempt?
  private var isClosed = false

  init(_ options: Studio.Options, open: @escaping @Sendable () async throws -> ServiceConnection) {
    self.options = options
    self.open = open
  }

  /// The latest connection, usable or lost.
  var present: ServiceConnection? { connection }

  /// The connection to ask. One that was lost is replaced if the options say so, with one start for everybody who waits.
  /// - Throws: why none could be started; `CancellationError` at once, which does not end the start for others.
  func usable() async throws -> ServiceConnection {
    if let connection, connection.isUsable || !options.restart || isClosed { return connection }
    if isClosed { throw AtelierError.closed }
    guard let result = await (attempt ?? begin()).outcome.value() else { throw CancellationError() }
    return try result.get()
  }

  private func begin() -> Attempt {
    let outcome = Promise<Result<ServiceConnection, any Error>>()
    let task = Task { [open, connection, closeLimit = options.closeLimit] in
      if let connection {
        // Its end may be known before its reason. Only one of the two services may work on the data directory.
        _ = await connection.lost.value()
        await connection.end(within: closeLimit)
      }
      do {
        try Task.checkCancellation()
        let next = try await open()
        self.end(with: next)
        outcome.fulfil(.success(next))
      } catch {
        self.end(with: nil)
        outcome.fulfil(.failure(error is CancellationError ? AtelierError.closed : error))
      }
    }
    let attempt = Attempt(task: task, outcome: outcome)
    self.attempt = attempt
    return attempt
  }

  private func end(with next: ServiceConnection?) {
    connection = next ?? connection
    attempt = nil
  }

  /// Starts nothing from now on.
  /// - Parameter cancelling: whether a start that is under way ends at once; otherwise it is waited for.
  /// - Returns: the connection to end; nil if there is none.
  func close(cancelling: Bool) async -> ServiceConnection? {
    isClosed = true
    if let attempt {
      if cancelling { attempt.task.cancel() }
      _ = await attempt.outcome.value()
    }
    return connection
  }

  /// Lets the service end by itself, because nobody is left to ask it anything.
  func abandon() async {
    isClosed = true
    attempt?.task.cancel()
    await connection?.closeInput()
  }
}
