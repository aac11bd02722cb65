import JSON
import NIOHTTP1

/// What is under `/_simulator/`: the script and the journal, for tests in another process.
struct ControlService: Sendable {
  let responder: Responder

  /// - Parameter reply: called with the answer, at once or when what was asked for has happened.
  /// - Returns: the number of the wait in the journal, if there is one.
  func answer(_ request: ReceivedRequest, reply: @escaping @Sendable (HTTPAnswer) -> Void) -> Int? {
    do throws(HTTPAnswer) {
      let names = request.target.segments.dropFirst()
      if request.head.method == .GET, names.first == "requests" {
        return try requests(names.dropFirst().first, request.target, reply)
      }
      reply(.json(try json(for: request, names.joined(separator: "/"))))
    } catch {
      reply(error)
    }
    return nil
  }

  private static func refusal(_ status: Int, _ sentence: String) -> HTTPAnswer {
    .json(status: status, ["error": .string(sentence)])
  }

  private func json(for request: ReceivedRequest, _ path: String) throws(HTTPAnswer) -> JSONValue {
    switch (request.head.method, path) {
    case (.GET, ""): return ["paths": ["faults", "requests", "requests/{id}", "connections", "release"]]
    case (.GET, "faults"): break
    case (.PUT, "faults"): try setFaults(request)
    case (.DELETE, "faults"):
      responder.scenario.replace(steps: [])
      responder.scenario.setAlways(.success)
    case (.DELETE, "requests"):
      responder.journal.reset()
      return [:]
    case (.GET, "connections"): return .array(responder.journal.connections.map(JSONValue.init(encoding:)))
    case (.POST, "release"):
      responder.releaseAll()
      return [:]
    case (.POST, _) where path.hasPrefix("release/"):
      guard let id = Int(path.dropFirst(8)) else { throw Self.refusal(400, "No such request.") }
      responder.release(id)
      return [:]
    default:
      throw Self.refusal(
        404, "There is no \(request.head.method) \(request.target.path); GET /_simulator/ lists what there is.")
    }
    return responder.scenario.json
  }

  /// A list replaces the steps that wait; an object sets what is met when none does.
  private func setFaults(_ request: ReceivedRequest) throws(HTTPAnswer) {
    do {
      let json = try request.json()
      guard let object = json.object else {
        return responder.scenario.replace(steps: try ScenarioStep.list(json: json))
      }
      guard object.count == 1, let always = object["always"] else {
        throw ScenarioError("The object must be {\"always\": step}, with null for success.")
      }
      responder.scenario.setAlways(always.isNull ? .success : try ScenarioStep(json: always))
    } catch {
      throw Self.refusal(400, (error as? JSONSyntaxError)?.message ?? "\(error)")
    }
  }

  /// All requests; with `?count=N&state=STATE` once N requests have got that far. One request, if there is an `id`; with
  /// `?state=STATE` once it has got that far.
  private func requests(
    _ id: String?, _ target: RequestTarget, _ reply: @escaping @Sendable (HTTPAnswer) -> Void
  ) throws(HTTPAnswer) -> Int? {
    let number = (id ?? target.queryValue("count")).map { Int($0) ?? 0 }
    if number ?? 1 < 1 {
      throw Self.refusal(400, id == nil ? "count must be a number." : "A request is named by its number.")
    }
    let name = target.queryValue("state") ?? RequestRecord.State.received.rawValue
    guard let state = RequestRecord.State(rawValue: name) else {
      let names = RequestRecord.State.allCases.map(\.rawValue).joined(separator: ", ")
      throw Self.refusal(400, "state must be one of \(names).")
    }
    guard let number, id == nil || target.queryValue("state") != nil else {
      guard let number else { reply(.json(.array(responder.journal.requests.map(\.json)))); return nil }
      guard let record = responder.journal.request(number) else {
        throw Self.refusal(404, "There is no request \(number).")
      }
      reply(.json(record.json))
      return nil
    }
    let journal = responder.journal
    return journal.wait(
      for: (id == nil ? 1 : number)...number, skippingForgotten: id == nil,
      until: { state == .closedByPeer ? $0.times.closedByPeer != nil : $0.state >= state },
      answer: { records in
        guard let records else {
          return reply(Self.refusal(410, "The request is forgotten, or the wait was given up."))
        }
        reply(.json(id == nil ? .array(journal.requests.map(\.json)) : records.first?.json ?? .null))
      })
  }
}

extension JSONValue {
  init(encoding value: some Encodable) {
    // Records hold nothing that has no JSON.
    self = (try? JSONValueEncoder().encode(value)) ?? .null
  }
}

extension RequestRecord {
  /// As the control API tells it; neither key nor picture.
  var json: JSONValue {
    var json = JSONValue(encoding: self).object ?? [:]
    json["keyInQuery"] = .bool(credential.place == .query)
    if let facts, var object = json["facts"]?.object {
      object["promptFingerprint"] = .string(PictureMarker.fingerprint(of: facts.prompt))
      json["facts"] = .object(object)
    }
    return .object(json)
  }
}
