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
      case .answer(let answer): return try await answer(arguments, call, self).result(in: call.era)
      case .make(let params): return try await make(try params(arguments, settings), tool, call)
      }
    } catch let error as AtelierError {
      return ToolAnswer(failure: error, settings).result(in: call.era)
    } catch let failure as JSONDecodingFailure {
      return ToolAnswer(text: failure.message, isError: true).result(in: call.era)
    }
  }

  /// Makes the pictures of a call, or joins the generation that makes them already.
  private func make(_ params: JSONObject, _ tool: Tool, _ call: Call) async throws -> JSONObject {
    var request = try JSONValueDecoder(unknownMembers: .reject).decode(Generate.self, from: .object(params))
    let digest = CallDigest(account: settings.account, tool: tool.name, request: params)
    var generation = try await starter.join(digest)
    if generation == nil {
      // A model cannot make a photo smaller.
      request = try await engine.fitting(request, for: caller)
      switch try await permission(for: request, digest, call) {
      case .given: break
      case .askedFor(let inquiry): return inquiry
      case .refused:
        return ToolAnswer(
          text: "Nothing was made: the person did not agree to the cost. Do not try again unless they ask.", isError: true
        ).result(in: call.era)
      }
      generation = try await starter.start(request, digest)
    }
    guard let generation else { throw AtelierError(.internal) }
    let id = generation.generationId
    guard call.client.hasTasks, call.era.isModern else {
      return try await answer(for: id, to: call, waitingMs: settings.waitMs, makesIt: true).result(in: call.era)
    }
    let isGivenUp = isUnwanted(call.id)
    if !isGivenUp { await interest.beginTask(id) }
    await interest.end(in: id)
    if isGivenUp { await interest.giveUp(id) }
    return created(generation)
  }

  private enum Permission {
    case given, refused
    /// The result that asks the person.
    case askedFor(JSONObject)
  }

  private func permission(for request: Generate, _ digest: CallDigest, _ call: Call) async throws -> Permission {
    guard call.client.hasForms else { return .given }
    let credits = try await engine.price(of: request, for: caller)
    guard credits > settings.askAboveCredits else { return .given }
    let paid =
      request.recipe == .places
      ? "asks a model that the provider charges for" : "makes \(credits) pictures that the provider charges for"
    let question = "This \(settings.account == .owner ? paid : "costs \(credits) credits"). Continue?"
    let verdict: CostConfirmation.Verdict
    if call.era.isModern {
      guard let said = confirmation.verdict(in: call.params, about: digest) else {
        return .askedFor(confirmation.inquiry(question, about: digest))
      }
      verdict = said
    } else {
      guard let connection else { return .refused }
      verdict = await confirmation.ask(question, over: connection)
      try Task.checkCancellation()
    }
    return verdict == .agreed ? .given : .refused
  }

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
