import AtelierProtocol
import Encodings
import Providers
import Store

/// The operator's geocoder as all processes of the data directory share it: they ask one after the other, use each
/// other's answers, and all heed a refusal.
struct GeocoderSource: LocationSource {
  let kind = PlaceSource.geocoder
  let geocoder: NominatimGeocoder
  let store: Store
  let surroundings: Surroundings
  /// The pause after a refusal that names none, in milliseconds.
  let cooldownMs: Int

  func places(for query: LocationQuery) async throws -> [FoundPlace] {
    let digest = digest(of: query)
    if let kept = try? await store.locationAnswer(digest) { return kept }
    try await checkPause()
    let wait = try await store.reserveGeocoder(intervalMs: Int64(geocoder.settings.intervalMs))
    if wait > 0 {
      try await surroundings.sleep(.milliseconds(wait))
      // A lookup that came before may have been refused meanwhile.
      try await checkPause()
    }
    let sentAt = surroundings.now()
    do {
      let places = try await geocoder.places(
        for: query.text, near: query.near?.coordinate, language: query.language)
      if (try? await store.hasRefused(NominatimGeocoder.id, model: "")) ?? true {
        try? await store.endCooldowns(of: NominatimGeocoder.id)
      }
      if !query.isPrivate {
        // An answer that cannot be kept is still an answer.
        try? await store.keepLocationAnswer(places, digest: digest, lifetimeMs: geocoder.settings.keptMs)
      }
      return places
    } catch let error as AtelierError where error.kind.consequences.pause == .brief {
      _ = try? await store.coolDown(pause(after: error), sentAt: sentAt, backoff: RefusalBackoff())
      throw error
    }
  }

  /// - Throws: the refusal that asked for a pause, while that lasts.
  private func checkPause() async throws {
    if let pause = try await store.cooldowns(of: NominatimGeocoder.id).first {
      throw pause.refusal(at: surroundings.now())
    }
  }

  private func pause(after error: AtelierError) -> Cooldown {
    let now = surroundings.now()
    let wait = Int64(min(max(error.retryAfterMs ?? cooldownMs, 0), 86_400_000))
    return Cooldown(
      provider: NominatimGeocoder.id, setAt: now, until: Timestamp(milliseconds: now.milliseconds + wait),
      kind: error.kind, message: error.sentence, details: error.details)
  }

  /// What identifies a question, whoever asks it. The database holds no words of it.
  private func digest(of query: LocationQuery) -> String {
    var digest = FieldDigest()
    digest.add(geocoder.settings.baseURL.text)
    digest.add(query.text)
    digest.add(query.near?.coordinate?.latitude)
    digest.add(query.near?.coordinate?.longitude)
    digest.add(query.language)
    return Hexadecimal.text(digest.finalized())
  }
}
