import AtelierProtocol
import JSON

/// The key sets of the issuers: what this process knows of them, and when it last asked.
///
/// A file is read for each verification. A document of a server is fetched when it is older than a day, or lacks a key and
/// is older than a minute; whatever comes of it, its server is asked once a minute at most. Where fetching fails, the last
/// known document counts, however old it is, so that sign-ins work offline.
actor KeySets {
  /// How long a document counts as the present one.
  static let lifetimeMs: Int64 = 86_400_000
  /// The least time between two fetches.
  static let pauseMs: Int64 = 60_000

  /// What is known of one server's document.
  private struct Knowledge {
    var keySet: KeySet?
    /// When ``keySet`` was fetched, by whichever process.
    var fetched = Timestamp(milliseconds: 0)
    /// When this process last began to fetch it.
    var attempted: Timestamp?
    /// Why that failed.
    var failure: KeySetFailure?
    /// The fetch that is under way, for all who need it.
    var renewal: Task<Void, Never>?
  }

  private let reader: KeySetReader
  private let cache: any KeySetCache
  private var known: [String: Knowledge] = [:]

  init(_ reader: KeySetReader, cache: any KeySetCache) {
    self.reader = reader
    self.cache = cache
  }

  /// The keys of `issuer`, at most a day old where its server can be reached.
  /// - Throws: `provider_unavailable` when there are none.
  func keySet(of issuer: IdentityIssuer, at now: Timestamp) async throws(AtelierError) -> KeySet {
    switch issuer.keys {
    case .url(let url): try await keySet(of: issuer, at: url, noOlderThan: Self.lifetimeMs, now)
    case .file(let path): try await keySet(of: issuer, inFile: path)
    }
  }

  /// The keys of `issuer` when one is missing in those that ``keySet(of:at:)`` returned.
  /// - Returns: the keys, and why they could not be renewed.
  /// - Throws: `provider_unavailable` when there are none.
  func renewedKeySet(
    of issuer: IdentityIssuer, at now: Timestamp
  ) async throws(AtelierError) -> (keySet: KeySet, failure: KeySetFailure?) {
    guard case .url(let url) = issuer.keys else { return (try await keySet(of: issuer, at: now), nil) }
    let keySet = try await keySet(of: issuer, at: url, noOlderThan: Self.pauseMs, now)
    return (keySet, known[url]?.failure)
  }

  private func keySet(of issuer: IdentityIssuer, inFile path: String) async throws(AtelierError) -> KeySet {
    do throws(KeySetFailure) {
      return try KeySet(try await KeySetReader.document(inFile: path))
    } catch {
      throw error.error(of: issuer, retryAfterMs: nil)
    }
  }

  private func keySet(
    of issuer: IdentityIssuer, at url: String, noOlderThan ageMs: Int64, _ now: Timestamp
  ) async throws(AtelierError) -> KeySet {
    // Ends: a renewal that does not make the keys young enough has asked the server. Whoever comes while it waits for the
    // answer waits as well.
    while !isKnown(url, noOlderThan: ageMs, now), known[url]?.renewal != nil || !wasAsked(url, now) {
      await (known[url]?.renewal ?? beginRenewal(of: url, noOlderThan: ageMs, now)).value
    }
    if let keySet = known[url]?.keySet { return keySet }
    let attempted = known[url]?.attempted ?? now
    let failure = known[url]?.failure ?? .stopped
    throw failure.error(of: issuer, retryAfterMs: Int(attempted.milliseconds + Self.pauseMs - now.milliseconds))
  }

  private func isKnown(_ url: String, noOlderThan ageMs: Int64, _ now: Timestamp) -> Bool {
    guard let known = known[url], known.keySet != nil else { return false }
    return Self.isRecent(known.fetched, within: ageMs, now)
  }

  private func wasAsked(_ url: String, _ now: Timestamp) -> Bool {
    known[url]?.attempted.map { Self.isRecent($0, within: Self.pauseMs, now) } ?? false
  }

  /// A time that is far in the future is not recent: somebody has set a clock back.
  private static func isRecent(_ time: Timestamp, within ageMs: Int64, _ now: Timestamp) -> Bool {
    (-pauseMs..<ageMs).contains(now.milliseconds - time.milliseconds)
  }

  private func beginRenewal(of url: String, noOlderThan ageMs: Int64, _ now: Timestamp) -> Task<Void, Never> {
    let renewal = Task { await renew(url, noOlderThan: ageMs, now) }
    known[url, default: Knowledge()].renewal = renewal
    return renewal
  }

  private func renew(_ url: String, noOlderThan ageMs: Int64, _ now: Timestamp) async {
    await takeOver(url, now)
    if !isKnown(url, noOlderThan: ageMs, now) { await fetch(url, now) }
    known[url]?.renewal = nil
  }

  /// Takes over what another process has fetched, or this one before it was started anew.
  private func takeOver(_ url: String, _ now: Timestamp) async {
    // Without the store, the server is asked.
    guard let kept = try? await cache.keySet(of: url), let keySet = try? KeySet(kept.document) else { return }
    let before = known[url] ?? Knowledge()
    guard before.keySet == nil || kept.fetched > before.fetched && kept.fetched <= now else { return }
    learn(keySet, of: url, fetched: kept.fetched)
  }

  private func fetch(_ url: String, _ now: Timestamp) async {
    known[url]?.attempted = now
    do throws(KeySetFailure) {
      let document = try await reader.document(at: url)
      learn(try KeySet(document), of: url, fetched: now)
      // Where it cannot be kept, this process still has it.
      try? await cache.keep(document, of: url, fetched: now)
    } catch {
      known[url]?.failure = error
    }
  }

  private func learn(_ keySet: KeySet, of url: String, fetched: Timestamp) {
    known[url]?.keySet = keySet
    known[url]?.fetched = fetched
    known[url]?.failure = nil
  }
}
