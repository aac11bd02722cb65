import AtelierProtocol
import Engine
import JSON
import JSONRPC

/// How a tool call is carried out.
extension MCPService {
  /// `tools/call`.
  /// - Throws: `ResponseError` for a call that is no call of a tool; what the tool cannot do is a result.
  func callTool(_ call: Call) async throws -> JSONObject {
    guard let name = call.params["name"]?.string else { throw ResponseError.malformed("name must be the name of a tool.") }
    guard let tool = Tool.named(name) else {
      throw ResponseError.malformed("There is no tool \(JSONValue.string(String(name.prefix(80))).serializedText).")
    }
    let given = call.params["arguments"] ?? .null
    guard given.isNull || given.object != nil else { throw ResponseError.malformed("arguments must be an object.") }
    do {
      let arguments = try Arguments(given.object ?? [:], for: tool)
      switch tool.work {
      case .answer(let answer): return try await answer(arguments, call, self).result
      case .make(let params): return try await make(try params(arguments, settings), tool, call)
      }
    } catch let error as AtelierError {
      return ToolAnswer(failure: error, settings).result
    } catch let failure as JSONDecodingFailure {
      return ToolAnswer(text: failure.message, isError: true).result
    }
  }

  /// Makes the pictures of a call, or joins the generation that makes them already.
  private func make(_ params: JSONObject, _ tool: Tool, _ call: Call) async throws -> JSONObject {
    let deadlineMs = engine.surroundings.uptimeMs() + settings.waitMs
    progress.begin(call, on: connection)
    defer { progress.end(call) }
    let asked = try JSONValueDecoder(unknownMembers: .reject).decode(Generate.self, from: .object(params)).plainest
    let digest = try CallDigest(account: settings.account, tool: tool.name, request: asked)
    var generation = try await starter.join(digest)
    if generation == nil {
      // A model cannot make a photo smaller.
      let request = try await engine.fitting(asked, for: caller)
      var isFirst = true
      repeat {
        switch try await permission(for: request, digest, call, isFirst: isFirst, untilMs: deadlineMs) {
        case .unneeded: generation = try await starter.start(request, digest)
        // Where there is none to be had, the agreement was to something else.
        case .given(let number): generation = try await starter.start(request, digest, as: number)
        case .askedFor(let inquiry): return inquiry
        case .missing(let sentence): return ToolAnswer(text: sentence, isError: true).result
        }
        isFirst = false
      } while generation == nil
    }
    guard let generation else { throw AtelierError(.internal) }
    let id = generation.generationId
    guard call.client.hasTasks, call.era.isModern else {
      let waitingMs = max(0, deadlineMs - engine.surroundings.uptimeMs())
      return try await answer(for: id, to: call, waitingMs: waitingMs, makesIt: true).result
    }
    let isGivenUp = isUnwanted(call.id)
    if !isGivenUp { await interest.beginTask(id) }
    await interest.end(in: id)
    if isGivenUp { await interest.giveUp(id) }
    return created(generation)
  }

  /// Whether a generation may be made, as far as its cost is concerned.
  private enum Permission {
    case unneeded
    /// The person has agreed to the generation of this number.
    case given(CallNumber)
    /// The result that asks the person.
    case askedFor(JSONObject)
    /// Why not, for the model.
    case missing(String)

    init(_ answer: CostConfirmation.Answer) {
      self =
        switch answer.verdict {
        case .agreed: .given(answer.number)
        case .declined:
          .missing("Nothing was made: the person did not agree to the cost. Do not try again unless they ask.")
        case .unasked: .missing(MCPService.nobodyAsked)
        }
    }
  }

  /// The shortest time in which a person is asked, in milliseconds: `--wait` may be shorter than anybody needs to read.
  static let leastAskingMs: Int64 = 10_000

  /// - Parameter isFirst: whether an answer that the request brings counts.
  private func permission(
    for request: Generate, _ digest: CallDigest, _ call: Call, isFirst: Bool, untilMs: Int64
  ) async throws -> Permission {
    guard call.client.hasForms else { return .unneeded }
    let credits = try await engine.price(of: request, for: caller)
    guard credits > settings.askAboveCredits else { return .unneeded }
    if isFirst, call.era.isModern, let answer = confirmation.answer(in: call.params, about: digest) {
      return Permission(answer)
    }
    let number = try await starter.nextNumber(of: digest)
    let question = question(about: request, credits: credits)
    if call.era.isModern { return .askedFor(confirmation.inquiry(question, about: digest, number)) }
    guard let connection else { return .missing(Self.nobodyAsked) }
    let answer = try await tellingThatThePersonIsAsked(call) {
      try await confirmation.ask(
        question, about: digest, number, in: call.era, over: connection,
        waitingMs: max(Self.leastAskingMs, untilMs - engine.surroundings.uptimeMs()))
    }
    return answer.map(Permission.init) ?? .missing(
      "Nothing was made: the person has not answered yet whether to go on. Call again when they are there to answer.")
  }

  private func question(about request: Generate, credits: Int) -> String {
    let paid =
      request.recipe == .places
      ? "asks a model" : "makes \(credits == 1 ? "a picture" : "\(credits) pictures")"
    let cost = "costs \(credits == 1 ? "1 credit" : "\(credits) credits")"
    return "This \(settings.account == .owner ? "\(paid) that the provider charges for" : cost). Continue?"
  }

  /// How often a call is told that its person is being asked, in milliseconds: clients that hear nothing give up.
  private static let tellingMs: Int64 = 10_000

  private func tellingThatThePersonIsAsked<Answer: Sendable>(
    _ call: Call, while asking: () async throws -> Answer
  ) async throws -> Answer {
    let telling = Task { [progress, surroundings = engine.surroundings] in
      repeat {
        progress.tell("Waiting for the person to agree to the cost", overall: 0, to: call.id)
        try await surroundings.sleep(.milliseconds(Self.tellingMs))
      } while !Task.isCancelled
    }
    defer { telling.cancel() }
    return try await asking()
  }

  private static let nobodyAsked =
    "Nothing was made: this costs so much that the person must agree first, and the client passed on no answer of theirs. "
    + "Tell them: with --ask-above, this server can be started to ask only before larger requests."

  /// Waits for a generation and reports it, with its progress meanwhile.
  func report(of id: GenerationID, for call: Call, waitingMs: Int64) async throws -> ToolAnswer {
    await interest.begin(in: id)
    return try await answer(for: id, to: call, waitingMs: waitingMs, makesIt: false)
  }

  /// Waits for a generation in which the call's interest is noted, until the wait ends.
  /// - Parameter makesIt: whether the call makes the pictures, so that they are given up when the client cancels it.
  private func answer(
    for id: GenerationID, to call: Call, waitingMs: Int64, makesIt: Bool
  ) async throws -> ToolAnswer {
    progress.begin(call, on: connection)
    defer { progress.end(call) }
    do {
      let waiting = Caller(of: settings.account, telling: call.progressToken == nil ? nil : call.id)
      let generation = try await engine.generation(id, for: waiting, waitingMs: waitingMs)
      await interest.end(in: id)
      let answer = await shown(generation)
      if generation.state.isFinal, !Task.isCancelled { await starter.delivered(id) }
      return answer
    } catch {
      await interest.end(in: id)
      if makesIt, isUnwanted(call.id) { await interest.giveUp(id) }
      throw error
    }
  }

  /// Cancels a generation; one that has ended stays as it is.
  func cancel(_ id: GenerationID) async {
    // In a task of its own: the calling one is cancelled.
    _ = await Task { [engine, caller] in try? await engine.generations.cancel(Cancel(target: .id(id)), for: caller) }.value
  }
}
