import AtelierClient
import Synchronization

/// How many event streams are open, and whether there may be one more: each takes memory and a connection for as long as
/// somebody looks.
final class OpenStreams: Sendable {
  private let mostOfAccount: Int
  private let most: Int
  private let open = Mutex<[AccountID: Int]>([:])

  /// - Parameters:
  ///   - mostOfAccount: the most of one account, on all its devices.
  ///   - most: the most of all together.
  init(mostOfAccount: Int = 32, most: Int) { (self.mostOfAccount, self.most) = (mostOfAccount, most) }

  var count: Int { open.withLock { $0.values.reduce(0, +) } }

  /// One more stream, until the value that is returned is let go of: also when its answer is never sent.
  /// - Throws: `rate_limited`.
  func begin(for account: AccountID) throws(WebError) -> OpenStream {
    try open.withLock { open throws(WebError) in
      if open[account, default: 0] >= mostOfAccount { throw .tooManyOwnStreams }
      if open.values.reduce(0, +) >= most { throw .tooManyStreams }
      open[account, default: 0] += 1
    }
    return OpenStream(account, of: self)
  }

  fileprivate func end(_ account: AccountID) {
    open.withLock { open in
      guard let number = open[account] else { return }
      open[account] = number > 1 ? number - 1 : nil
    }
  }
}

/// One event stream, which is open for as long as this value is held.
final class OpenStream: Sendable {
  private let account: AccountID
  private let streams: OpenStreams

  fileprivate init(_ account: AccountID, of streams: OpenStreams) { (self.account, self.streams) = (account, streams) }

  deinit { streams.end(account) }
}

extension WebError {
  fileprivate static let tooManyOwnStreams = tooMany(
    "You follow too many pictures at once. Please close some of the pages, or try again later.")
  fileprivate static let tooManyStreams = tooMany("Too many people follow their pictures right now. Please try again later.")

  private static func tooMany(_ message: String) -> WebError {
    var error = WebError(429, ErrorKind.rateLimited.rawValue, message)
    error.isRetryable = true
    error.retryAfterMs = 10_000
    return error
  }
}
