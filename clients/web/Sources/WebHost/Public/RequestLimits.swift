import AtelierClient

/// Counts what addresses begin, and refuses what is too much.
actor RequestLimits {
  /// What is counted.
  enum Kind: Hashable, Sendable, CaseIterable { case guestRequests, requests, guests, gifts, photos }

  /// One address, or all addresses of a customer of a provider.
  private enum Place: Hashable {
    case household(String)
    case site(String)
  }

  private struct Key: Hashable {
    var kind: Kind
    var place: Place
  }

  private let limits: AddressLimits
  /// The times of what was begun, in milliseconds, oldest first.
  private var begun: [Key: [Int64]] = [:]
  private var nextPruning: Int64 = 0

  init(_ limits: AddressLimits) { self.limits = limits }

  /// Counts one more.
  /// - Throws: `rate_limited`, with the time until the next one is allowed.
  func count(_ kind: Kind, from network: ClientAddress.Network, at now: Timestamp) throws(WebError) {
    let now = now.milliseconds
    guard let wait = wait(for: kind, from: network, at: now) else { return note(kind, from: network, at: now) }
    var error = WebError(429, ErrorKind.rateLimited.rawValue, "Too many requests. Please wait and try again.")
    error.isRetryable = true
    error.retryAfterMs = Int(wait)
    throw error
  }

  /// Counts one more if that is allowed.
  func take(_ kind: Kind, from network: ClientAddress.Network, at now: Timestamp) -> Bool {
    (try? count(kind, from: network, at: now)) != nil
  }

  /// Counts one more, whether that is allowed or not.
  func note(_ kind: Kind, from network: ClientAddress.Network, at now: Timestamp) {
    note(kind, from: network, at: now.milliseconds)
  }

  /// Takes the last one back.
  func giveBack(_ kind: Kind, to network: ClientAddress.Network) {
    for place in places(of: kind, network) { _ = begun[Key(kind: kind, place: place)]?.popLast() }
  }

  /// How long until one more is allowed, in milliseconds; nil if it is now.
  private func wait(for kind: Kind, from network: ClientAddress.Network, at now: Int64) -> Int64? {
    let (most, window) = rule(kind)
    prune(now)
    return places(of: kind, network).compactMap { place in
      let key = Key(kind: kind, place: place)
      let times = begun[key, default: []].filter { now - window < $0 && $0 <= now + window }
      begun[key] = times
      guard times.count >= most else { return nil }
      // More than are allowed may have been noted: so many must be over.
      return most > 0 ? max(times[times.count - most] + window - now, 1) : window
    }.max()
  }

  private func note(_ kind: Kind, from network: ClientAddress.Network, at now: Int64) {
    for place in places(of: kind, network) { begun[Key(kind: kind, place: place), default: []].append(now) }
  }

  private func places(of kind: Kind, _ network: ClientAddress.Network) -> [Place] {
    // Whoever wants gifts takes addresses as many as there are; whoever comes is one of a household.
    kind == .gifts ? [.household(network.household), .site(network.site)] : [.household(network.household)]
  }

  private func rule(_ kind: Kind) -> (most: Int, windowMs: Int64) {
    switch kind {
    case .guestRequests: (limits.guestRequestsPerHour, 3_600_000)
    case .requests: (limits.requestsPerMinute, 60_000)
    case .guests: (limits.guestsPerDay, 86_400_000)
    case .gifts: (limits.giftsPerDay, 86_400_000)
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
