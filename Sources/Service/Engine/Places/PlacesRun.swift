import AtelierProtocol
import JSON
import Localization
import Providers

/// Finds the places of one generation: a conversation in which the model names places and looks each of them up, until
/// it answers with a list, of which only confirmed places remain.
struct PlacesRun: Sendable {
  /// A finished conversation.
  struct Outcome: Sendable {
    var places: [Place]
    var dropped: DroppedPlaces
    var provider: ProviderID?
    /// Why the list is not all that the model wanted to name; nil for a whole list.
    var failure: AtelierError?
    /// The failures of the providers asked before.
    var passedOver: [AtelierError] = []
  }

  /// The most turns of the model in one conversation.
  private static let mostTurns = 20
  /// The most calls of one turn that are carried out.
  private static let mostCalls = 64

  let lineup: ProviderLineup
  let request: Generate
  let calls: ProviderCalls
  let verification: PlaceVerification
  /// The places to choose from, a line for each; nil for all that exist.
  let listing: String?
  /// What the turns have cost so far, and who answered.
  let bill: Bill
  let report: @Sendable (ImageProgress) async -> Void

  /// The usage of all turns, kept outside the conversation so that a conversation that breaks off does not lose it.
  actor Bill {
    private(set) var usage = Usage()
    private(set) var model: String?

    func add(_ answer: TextAnswer) {
      usage = usage + answer.usage
      model = answer.model
    }
  }

  private var limit: Int { request.limit ?? Generate.defaultPlaceLimit }

  /// - Returns: the list; an incomplete one if the conversation broke off after places were verified.
  /// - Throws: `no_places_found`, what the providers throw, `timed_out`; `CancellationError`.
  func find() async throws -> Outcome {
    do {
      return try await calls.deadline.bound(provider: lineup.first.id) { try await findInTime() }
    } catch var error as AtelierError where error.kind != .noPlacesFound {
      try Task.checkCancellation()
      let verified = await verification.verified
      guard verified.isEmpty else {
        return Outcome(
          places: Array(verified.prefix(limit)), dropped: DroppedPlaces(count: 0, names: []), provider: error.provider,
          failure: error)
      }
      if error.kind == .timedOut, !calls.sending.isUnsent { error.details["mayHaveBeenCharged"] = true }
      throw error
    }
  }

  private func findInTime() async throws -> Outcome {
    var failures: [AtelierError] = []
    for (position, provider) in lineup.asked.enumerated() {
      let asked = request.imageRequest(variation: 0)
      if position > 0, let refusal = await calls.refusal(of: provider, for: asked) {
        failures.append(refusal)
        continue
      }
      guard let textProvider = provider as? any TextProvider else {
        failures.append(ProviderRegistry.unsupported(.places, by: [provider]))
        continue
      }
      let isFirst = lineup.passedOver.isEmpty && position == 0
      do throws(ProviderCalls.Failure) {
        var outcome = try await converse(with: textProvider, asked.fitting(provider, isFirst: isFirst))
        outcome.passedOver = failures
        return outcome
      } catch {
        switch error {
        case .cancelled: throw CancellationError()
        case .passOn(let failure):
          // Another provider would begin anew; what was verified is worth more.
          if await !verification.verified.isEmpty { throw failure }
          failures.append(failure)
        case .final(let failure): throw failure.followed(by: failures)
        }
      }
    }
    guard let first = failures.first else { throw AtelierError(.providerUnavailable) }
    throw first.followed(by: Array(failures.dropFirst()))
  }

  // MARK: The conversation

  private func converse(
    with provider: any TextProvider, _ asked: ImageRequest
  ) async throws(ProviderCalls.Failure) -> Outcome {
    var messages: [TextMessage] = [.user(PlacesPrompt.question(request, listing: listing))]
    var mayRemind = true
    for turn in 1...Self.mostTurns {
      let isLast = turn == Self.mostTurns
      let answer = try await next(of: messages, from: provider, asked, mayCall: !isLast)
      await bill.add(answer)
      if !answer.calls.isEmpty {
        if isLast { break }
        let results = try await carryOut(answer.calls)
        messages += [.model(answer.turn), .results(results)]
        continue
      }
      let claims = PlaceListParser.claims(in: answer.text)
      let hasLookedUp = await verification.hasLookedUp
      if let claims, claims.isEmpty || hasLookedUp || !mayRemind { return try await outcome(claims, by: provider) }
      guard mayRemind else { throw .passOn(.unreadableList(by: provider.id)) }
      mayRemind = false
      messages += [.model(answer.turn), .user(PlacesPrompt.reminder)]
    }
    throw .passOn(
      AtelierError(
        .providerError, "The provider's model went on looking places up without an end. Please try again.",
        provider: provider.id, details: ["reason": "too_many_turns", "mayHaveBeenCharged": true]))
  }

  private func next(
    of messages: [TextMessage], from provider: any TextProvider, _ asked: ImageRequest, mayCall: Bool
  ) async throws(ProviderCalls.Failure) -> TextAnswer {
    let progress = await progress()
    return try await calls.ask(provider, asked, report: report) { [request] asked, told in
      try await provider.answer(
        TextRequest(
          instructions: PlacesPrompt.instructions, messages: messages, functions: [PlacesPrompt.function],
          mayCall: mayCall, model: asked.model, temperature: request.temperature, seed: request.seed,
          timeoutMs: asked.timeoutMs)
      ) { told(progress) }
    }
  }

  /// The list with what no lookup confirmed taken out.
  private func outcome(
    _ claims: [PlaceClaim], by provider: any TextProvider
  ) async throws(ProviderCalls.Failure) -> Outcome {
    let (places, dropped) = await verification.confirm(claims)
    if places.isEmpty {
      if let failure = await verification.lastFailure { throw .final(.lookupsFailed(because: failure)) }
      throw .final(
        AtelierError(
          .noPlacesFound, provider: provider.id,
          details: ["dropped": .number(JSONNumber(dropped.count)), "mayHaveBeenCharged": true]))
    }
    return Outcome(places: Array(places.prefix(limit)), dropped: dropped, provider: provider.id)
  }

  // MARK: Lookups

  /// Carries out all calls of a turn at the same time.
  private func carryOut(_ calls: [FunctionCall]) async throws(ProviderCalls.Failure) -> [FunctionResult] {
    do {
      return try await withThrowingTaskGroup(of: (Int, JSONObject).self) { group in
        for (position, call) in calls.enumerated() {
          group.addTask { (position, position < Self.mostCalls ? try await carryOut(call) : Self.tooManyCalls) }
        }
        var responses = [JSONObject](repeating: [:], count: calls.count)
        for try await (position, response) in group { responses[position] = response }
        return zip(calls, responses).map { FunctionResult(call: $0, response: $1) }
      }
    } catch {
      throw .cancelled
    }
  }

  private func carryOut(_ call: FunctionCall) async throws -> JSONObject {
    guard call.name == PlacesPrompt.function.name else {
      return ["error": "There is no such function. The only one is search_location."]
    }
    guard let claim = Self.claim(in: call.arguments) else {
      return ["error": "search_location takes two texts, name and location."]
    }
    // Of a private generation the progress, which is stored while it runs, names no place.
    await report(
      await progress(request.private == true ? "Verifying a place…" : "Verifying \(String(claim.name.prefix(80)))…"))
    let answer = try await verification.lookUp(claim)
    await report(await progress())
    switch answer {
    case .found(let places): return ["output": ["places": .array(places.map(\.told))]]
    case .failed: return ["error": "The lookup does not answer."]
    }
  }

  private static let tooManyCalls: JSONObject = ["error": "Too many calls in one turn. Call again for this one."]

  /// Also takes a single text, as `query`, which models of other services are used to.
  private static func claim(in arguments: JSONObject?) -> PlaceClaim? {
    func text(_ name: String) -> String? {
      arguments?[name]?.string.flatMap { $0.unicodeScalars.count <= 300 ? $0.printable : nil }
    }
    guard let name = text("name") ?? text("query"), name.contains(where: { !$0.isWhitespace }) else { return nil }
    let location = text("location") ?? ""
    return PlaceClaim(name: name, address: location.isEmpty ? name : location)
  }

  // MARK: Progress

  private func progress(_ message: Sentence? = nil) async -> ImageProgress {
    let verified = await verification.verified
    return ImageProgress(
      phase: .processing, message: message ?? Self.message(verified: verified.count),
      fraction: min(1, Double(verified.count) / Double(limit)),
      places: request.private == true || verified.isEmpty ? nil : Array(verified.prefix(limit)))
  }

  private static func message(verified count: Int) -> Sentence {
    switch count {
    case 0: firstMessage
    case 1: "Verified 1 place so far"
    default: "Verified \(count) places so far"
    }
  }

  static let firstMessage: Sentence = "Starting generation…"
}

extension FoundPlace {
  /// The place as the model is told.
  fileprivate var told: JSONValue {
    var told: JSONObject = ["name": .string(name)]
    let texts = [
      ("streetAddress1", streetAddress1), ("streetAddress2", streetAddress2), ("city", city), ("state", state),
      ("postalCode", postalCode), ("country", country),
    ]
    for (member, text) in texts { told[member] = text.map(JSONValue.string) }
    if let coordinate {
      told["latitude"] = JSONNumber(coordinate.latitude).map(JSONValue.number)
      told["longitude"] = JSONNumber(coordinate.longitude).map(JSONValue.number)
    }
    return .object(told)
  }
}

extension AtelierError {
  fileprivate static func unreadableList(by provider: ProviderID) -> AtelierError {
    AtelierError(
      .providerError, "The provider's answer is not a list of places. Please try again.", provider: provider,
      details: ["reason": "malformed_list", "mayHaveBeenCharged": true])
  }

  fileprivate static func lookupsFailed(because failure: AtelierError) -> AtelierError {
    AtelierError(
      .providerUnavailable, "Places cannot be looked up at the moment, so none could be verified. Please try again later.",
      retryAfterMs: failure.retryAfterMs,
      details: ["reason": "lookup_failed", "lookup": .string(failure.kind.rawValue), "mayHaveBeenCharged": true])
  }
}
