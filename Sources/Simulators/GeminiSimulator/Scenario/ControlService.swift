import JSON
import NIOHTTP1

/// What is under `/_simulator/`: the script and the journal, for tests in another process.
struct ControlService: Sendable {
  let responder: Responder

  /// - Parameter reply: called with the answer, at once or when what was asked for has happened.
  /// - Returns: the number of the wait in the journal, if there is one.
  func answer(_ request: ReceivedRequest, reply: @escaping @Sendable (HTTPAnswer) -> Void) -> Int? {
    let names = request.target.segments.dropFirst()
    let id = Int(names.dropFirst().first ?? "")
    do throws(HTTPAnswer) {
      if request.head.method == .GET, let id, let state = try Self.state(request.target) {
        let number = responder.journal.waitNumber()
        responder.journal.wait(number, for: id) {
          state == .closedByPeer ? $0.times.closedByPeer != nil : $0.state >= state
        } answer: { record in
          reply(record.map { .encoded($0) } ?? Self.refusal(410, "The request is forgotten, or the wait was given up."))
        }
        return number
      }
      reply(try answer(request, names.first ?? "", id, hasName: names.count > 1))
    } catch {
      reply(error)
    }
    return nil
  }

  private static func refusal(_ status: Int, _ sentence: String) -> HTTPAnswer {
    .json(status: status, ["error": .string(sentence)])
  }

  /// The state that is to be waited for, if any.
  private static func state(_ target: ReceivedTarget) throws(HTTPAnswer) -> RequestRecord.State? {
    guard let name = target.queryValue("state") else { return nil }
    if let state = RequestRecord.State(rawValue: name) { return state }
    let names = RequestRecord.State.allCases.map(\.rawValue).joined(separator: ", ")
    throw refusal(400, "state must be one of \(names).")
  }

  private func answer(
    _ request: ReceivedRequest, _ subject: String, _ id: Int?, hasName: Bool
  ) throws(HTTPAnswer) -> HTTPAnswer {
    if hasName, id == nil { throw Self.refusal(400, "A request is named by its number.") }
    switch (request.head.method, subject) {
    case (.PUT, "faults"): try setFaults(request)
    case (.DELETE, "faults"):
      responder.scenario.replace(steps: [])
      responder.scenario.setAlways(.success)
    case (.GET, "requests"):
      guard let id else { return .encoded(responder.journal.requests) }
      guard let record = responder.journal.request(id) else { throw Self.refusal(404, "There is no request \(id).") }
      return .encoded(record)
    case (.GET, "connections"): return .encoded(responder.journal.connections)
    case (.POST, "rotate"): try rotateKeys()
    case (.POST, "release"): if let id { responder.release(id) } else { responder.releaseAll() }
    default:
      throw Self.refusal(
        404, "There is no \(request.head.method) \(request.target.path); gemini-simulator --help names what there is.")
    }
    return .json([:])
  }

  private func rotateKeys() throws(HTTPAnswer) {
    guard let keys = responder.options.issuerKeys else { throw Self.refusal(404, "The simulator was given no keys.") }
    do { try keys.rotate() } catch { throw Self.refusal(500, "\(error)") }
  }

  /// A list replaces the steps that wait; an object sets what is met when none does.
  private func setFaults(_ request: ReceivedRequest) throws(HTTPAnswer) {
    do {
      let json = try request.json()
      guard let object = json.object else {
        return responder.scenario.replace(steps: try ScenarioStep.list(json: json))
      }
      guard object.count == 1, let always = object["always"] else {
        throw ScenarioError("The object must be {\"always\": step}.")
      }
      responder.scenario.setAlways(try ScenarioStep(json: always))
    } catch {
      throw Self.refusal(400, (error as? JSONSyntaxError)?.message ?? "\(error)")
    }
  }
}

extension HTTPAnswer {
  fileprivate static func encoded(_ value: some Encodable) -> HTTPAnswer {
    // Records hold nothing that has no JSON.
    .json((try? JSONValueEncoder().encode(value)) ?? .null)
  }
}
