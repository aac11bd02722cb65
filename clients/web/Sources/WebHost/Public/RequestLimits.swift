import AtelierClient

/// Counts what addresses begin, and refuses what is too much.
actor RequestLimits {
  /// What is counted.
  enum Kind: Hashable, Sendable { case guestRequests, requests, guests, photos }

  private struct Key: Hashable {
    var kind: Kind
    var network: String
  }

  private let limits: AddressLimits
  /// The times of what was begun, in milliseconds, oldest first.
  private var begun: [Key: [Int64]] = [:]
  private var nextPruning: Int64 = 0

  init(_ limits: AddressLimits) { self.limits = limits }

  /// Counts one more.
  /// - Throws: `rate_limited`, with the time until the next one is allowed.
  func count(_ kind: Kind, from network: String, at now: Timestamp) throws(WebError) {
    let (most, window) = rule(kind)
    let now = now.milliseconds
    prune(now)
    let key = Key(kind: kind, network: network)
    var times = begun[key, default: []]
    times.removeAll { $0 <= now - window || $0 > now + window }
    defer { begun[key] = times }
    if times.count >= most, let first = times.first {
      var error = WebError(429, ErrorKind.rateLimited.rawValue, "Too many requests. Please wait and try again.")
      error.isRetryable = true
      error.retryAfterMs = Int(max(first + window - now, 1))
      throw error
    }
    times.append(now)
  }

  /// Takes the last one back.
  func giveBack(_ kind: Kind, to network: String) {
    _ = begun[Key(kind: kind, network: network)]?.popLast()
  }

  private func rule(_ kind: Kind) -> (most: Int, windowMs: Int64) {
    switch kind {
    case .guestRequests: (limits.guestRequestsPerHour, 3_600_000)
    case .requests: (limits.requestsPerMinute, 60_000)
    case .guests: (limits.guestsPerDay, 86_400_000)
    case .photos: (limits.photosPerMinute, 60_000)
    }
  }

  /// Forgets addresses that begin nothing any more.
  private func prune(_ now: Int64) {
    guard now >= nextPruning else { return }
    nextPruning = now + 60_000
    begun = begun.filter { key, times in times.last.map { $0 > now - rule(key.kind).windowMs } ?? false }
  }
}
