import AtelierProtocol
import Localization
import Providers

/// The lookups of one generation and what they confirmed. It outlives the conversation that asks for them, so that a
/// conversation that breaks off leaves what was verified.
actor PlaceVerification {
  /// What a lookup answers to the model.
  enum Answer: Sendable {
    case found([FoundPlace])
    case failed
  }

  private struct Found {
    var place: FoundPlace
    var source: PlaceSource
    var at: Timestamp
    var isUsed = false
  }

  /// How long the host may take, in milliseconds.
  private static let hostLimitMs = 10_000
  /// The longest text in a place of the host.
  private static let longestText = 300
  /// The most names of dropped places that are told, and how long each may be.
  private static let mostNames = 50

  private let sources: [any LocationSource]
  private let request: Generate
  private let generation: GenerationID
  private let surroundings: Surroundings
  private var found: [Found] = []
  /// The answered questions of this run.
  private var answered: [String: Answer] = [:]
  /// Sources that did not answer in time: they are not asked again while there is another.
  private var silent: Set<PlaceSource> = []
  /// What the lookups confirmed of what the model asked about, in order.
  private(set) var verified: [Place] = []
  private(set) var warnings: [Warning] = []
  /// Whether any lookup was made, and why the last one that failed did.
  private(set) var hasLookedUp = false
  private(set) var lastFailure: AtelierError?

  /// - Parameter sources: in the order in which they are asked.
  init(_ request: Generate, of generation: GenerationID, sources: [any LocationSource], surroundings: Surroundings) {
    self.request = request
    self.generation = generation
    self.sources = sources
    self.surroundings = surroundings
  }

  private var area: Coordinate? { request.near?.coordinate }

  /// Looks a claimed place up, unless this run has done so already.
  /// - Throws: `CancellationError`.
  func lookUp(_ claim: PlaceClaim) async throws -> Answer {
    hasLookedUp = true
    let question = claim.address.isEmpty ? claim.name : "\(claim.name), \(claim.address)"
    if let answer = answered[question] { return answer }
    let query = LocationQuery(
      text: question, near: request.near, language: request.language, generationId: generation,
      isPrivate: request.private ?? false)
    var answer = Answer.failed
    for source in sources where sources.count == 1 || !silent.contains(source.kind) {
      try Task.checkCancellation()
      if let places = try await ask(source, query) {
        note(places, from: source.kind, confirming: claim)
        answer = .found(places)
        break
      }
    }
    answered[question] = answer
    return answer
  }

  /// - Returns: nil when the source has no answer; the person is then warned.
  private func ask(_ source: any LocationSource, _ query: LocationQuery) async throws -> [FoundPlace]? {
    do {
      guard source.kind == .host else { return try await source.places(for: query) }
      let limit = Deadline(
        atMs: surroundings.uptimeMs() + Int64(Self.hostLimitMs), timeoutMs: Self.hostLimitMs, surroundings: surroundings)
      return try usable(await limit.bound(provider: nil) { try await source.places(for: query) })
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      try Task.checkCancellation()
      if (error as? AtelierError)?.kind == .timedOut { silent.insert(source.kind) }
      lastFailure = AtelierError(wrapping: error)
      add(.lookupFailed(by: source.kind))
      return nil
    }
  }

  /// The places of a host's answer whose texts can be shown and stored.
  /// - Throws: an error when there are places and none is usable.
  private func usable(_ places: [FoundPlace]) throws -> [FoundPlace] {
    let usable = places.prefix(LocationSearch.mostPlaces).filter { place in
      let texts = [
        place.name, place.streetAddress1, place.streetAddress2, place.city, place.state, place.postalCode,
        place.country,
      ]
      return place.name.contains { !$0.isWhitespace }
        && texts.allSatisfy { text in
          text.map { $0.unicodeScalars.count <= Self.longestText && $0.unicodeScalars.allSatisfy(\.isPrintable) } ?? true
        }
    }
    if usable.isEmpty, !places.isEmpty { throw AtelierError(.internal) }
    return Array(usable)
  }

  private func note(_ places: [FoundPlace], from source: PlaceSource, confirming claim: PlaceClaim) {
    let now = surroundings.now()
    for place in places where !found.contains(where: { $0.place == place }) {
      found.append(Found(place: place, source: source, at: now))
    }
    guard let index = found.firstIndex(where: { places.contains($0.place) && $0.place.confirms(claim, near: area) })
    else { return }
    let place = Place(found[index].place, from: found[index].source, at: found[index].at)
    if !verified.contains(place) { verified.append(place) }
  }

  /// The claimed places that lookups of this run confirmed, as the lookups describe them, and those they did not.
  ///
  /// A found place confirms one claim only: the same place is not listed twice.
  func confirm(_ claims: [PlaceClaim]) -> (places: [Place], dropped: DroppedPlaces) {
    var places: [Place] = []
    var dropped = DroppedPlaces(count: 0, names: [])
    for claim in claims {
      if let index = found.firstIndex(where: { !$0.isUsed && $0.place.confirms(claim, near: area) }) {
        found[index].isUsed = true
        places.append(Place(found[index].place, from: found[index].source, at: found[index].at))
      } else {
        dropped.count += 1
        if dropped.names.count < Self.mostNames { dropped.names.append(claim.name.printable) }
      }
    }
    return (places, dropped)
  }

  func add(_ warning: Warning) {
    if !warnings.contains(warning) { warnings.append(warning) }
  }
}

extension Place {
  init(_ found: FoundPlace, from source: PlaceSource, at time: Timestamp) {
    self.init(
      name: found.name, streetAddress1: found.streetAddress1 ?? "", streetAddress2: found.streetAddress2,
      city: found.city ?? "", state: found.state, postalCode: found.postalCode, country: found.country,
      coordinate: found.coordinate, source: source, verifiedAt: time)
  }
}

extension Warning {
  fileprivate static func lookupFailed(by source: PlaceSource) -> Warning {
    switch source {
    case .host: Warning(kind: "lookup_failed", message: "The app did not answer a search for a place.")
    case .geocoder: Warning(kind: "lookup_failed", message: "The map service did not answer a search for a place.")
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isPrintable: Bool { value >= 0x20 && value != 0x7f && !(0x80...0x9f).contains(value) }
}

extension String {
  /// One line without control characters, for people.
  var printable: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.isPrintable ? $0 : " " }))
  }
}
