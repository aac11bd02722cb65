import JSON
import NIOHTTP1

/// What is under `/_simulator/`: the script and the journal, for tests in another process.
struct ControlService: Sendable {
  let responder: Responder

  private struct Refusal: Error {
    var status: Int
    var sentence: String
  }

  func answer(_ request: ReceivedRequest) async -> HTTPAnswer {
    do {
      return Self.json(try await json(for: request))
    } catch let error as Refusal {
      return Self.json(status: error.status, ["error": .string(error.sentence)])
    } catch let error as ScenarioError {
      return Self.json(status: 400, ["error": .string(error.description)])
    } catch let error as JSONSyntaxError {
      return Self.json(status: 400, ["error": .string(error.message)])
    } catch {
      return Self.json(status: 410, ["error": "The request is forgotten, or the wait was given up."])
    }
  }

  private static func json(status: Int = 200, _ value: JSONValue) -> HTTPAnswer {
    HTTPAnswer(status: status, headers: [HeaderField("Content-Type", "application/json")], body: value.serialized())
  }

  private func json(for request: ReceivedRequest) async throws -> JSONValue {
    let names = request.target.segments.dropFirst()
    switch (request.head.method, names.first, names.count) {
    case (.GET, nil, _): return ["paths": ["faults", "requests", "requests/{id}", "connections", "release"]]
    case (.GET, "faults", 1): return responder.scenario.json
    case (.PUT, "faults", 1): return try setFaults(try JSONValue(parsing: request.body.readableBytesUInt8Span))
    case (.DELETE, "faults", 1):
      responder.scenario.replace(steps: [])
      responder.scenario.setAlways(.success)
      return responder.scenario.json
    case (.GET, "requests", 1): return try await requests(request.target)
    case (.DELETE, "requests", 1):
      responder.journal.reset()
      return [:]
    case (.GET, "requests", 2): return try await self.request(names.last ?? "", request.target)
    case (.GET, "connections", 1): return .array(responder.journal.connections.map(\.json))
    case (.POST, "release", 1):
      responder.releaseAll()
      return [:]
    case (.POST, "release", 2):
      guard let id = names.last.flatMap({ Int($0) }) else { throw Refusal(status: 400, sentence: "No such request.") }
      responder.release(id)
      return [:]
    default:
      throw Refusal(
        status: 404,
        sentence: "There is no \(request.head.method) \(request.target.path); GET /_simulator/ lists what there is.")
    }
  }

  /// A list replaces the steps that wait; an object sets what is met when none does.
  private func setFaults(_ json: JSONValue) throws(ScenarioError) -> JSONValue {
    if let object = json.object {
      guard object.count == 1, let always = object["always"] else {
        throw ScenarioError("The object must be {\"always\": step}, with null for success.")
      }
      responder.scenario.setAlways(always.isNull ? .success : try ScenarioStep(json: always))
    } else {
      responder.scenario.replace(steps: try ScenarioStep.list(json: json))
    }
    return responder.scenario.json
  }

  /// All requests; with `?count=N&state=STATE` once N requests have got that far.
  private func requests(_ target: RequestTarget) async throws -> JSONValue {
    if let count = target.queryValue("count") {
      guard let count = Int(count), count > 0 else { throw Refusal(status: 400, sentence: "count must be a number.") }
      let state = try state(target)
      for id in 1...count where responder.journal.isAwaited(id) { _ = try await wait(id, state) }
    }
    return .array(responder.journal.requests.map(\.json))
  }

  /// One request; with `?state=STATE` once it has got that far.
  private func request(_ id: String, _ target: RequestTarget) async throws -> JSONValue {
    guard let id = Int(id), id > 0 else { throw Refusal(status: 400, sentence: "A request is named by its number.") }
    if target.queryValue("state") != nil { return try await wait(id, try state(target)).json }
    guard let record = responder.journal.request(id) else {
      throw Refusal(status: 404, sentence: "There is no request \(id).")
    }
    return record.json
  }

  private func state(_ target: RequestTarget) throws -> RequestRecord.State {
    let name = target.queryValue("state") ?? RequestRecord.State.received.rawValue
    guard let state = RequestRecord.State(rawValue: name) else {
      let names = RequestRecord.State.allCases.map(\.rawValue).joined(separator: ", ")
      throw Refusal(status: 400, sentence: "state must be one of \(names).")
    }
    return state
  }

  private func wait(_ id: Int, _ state: RequestRecord.State) async throws -> RequestRecord {
    try await responder.journal.wait(for: id) { record in
      state == .closedByPeer ? record.times.closedByPeer != nil : record.state >= state
    }
  }
}

extension RequestRecord {
  /// As the control API tells it; neither key nor picture.
  var json: JSONValue {
    var json: JSONObject = [
      "id": .number(JSONNumber(id)), "connection": .number(JSONNumber(connection)), "method": .string(method),
      "path": .string(path), "operation": .string(operation.rawValue), "state": .string(state.rawValue),
      "credential": [
        "place": .string(credential.place.rawValue), "fingerprint": .string(credential.fingerprint),
        "isBad": .bool(credential.isBad),
      ],
      "keyInQuery": .bool(credential.place == .query),
      "headers": .array(headers.map { [.string($0.name), .string($0.value)] }),
      "bytesReceived": .number(JSONNumber(bytesReceived)), "bytesSent": .number(JSONNumber(bytesSent)),
      "times": times.json,
    ]
    json["model"] = model.map(JSONValue.string)
    json["fault"] = fault.map(JSONValue.string)
    json["status"] = status.map { .number(JSONNumber($0)) }
    json["facts"] = facts?.valueForControl
    return .object(json)
  }
}

extension RequestRecord.Times {
  /// In milliseconds since the simulator started.
  fileprivate var json: JSONValue {
    func time(_ value: Double?) -> JSONValue? { value.flatMap { JSONNumber($0) }.map(JSONValue.number) }
    var json = JSONObject()
    json["received"] = time(received)
    json["headersAt"] = time(headers)
    json["bodyCompleteAt"] = time(bodyComplete)
    json["answeredAt"] = time(answered)
    json["closedByPeerAt"] = time(closedByPeer)
    return .object(json)
  }
}

extension RequestFacts {
  fileprivate var valueForControl: JSONValue {
    [
      "prompt": .string(prompt), "promptFingerprint": .string(PictureMarker.fingerprint(of: prompt)),
      "turns": .number(JSONNumber(turns)), "thoughtSignatures": .array(thoughtSignatures.map(JSONValue.string)),
      "images": .array(
        images.map { image in
          [
            "mimeType": .string(image.mimeType), "fingerprint": .string(image.fingerprint),
            "bytes": .number(JSONNumber(image.bytes)), "role": .string(image.role),
          ]
        }),
      "json": json,
    ]
  }
}

extension ConnectionRecord {
  var json: JSONValue {
    var json: JSONObject = ["id": .number(JSONNumber(id)), "requests": .number(JSONNumber(requests))]
    json["openedAt"] = JSONNumber(opened).map(JSONValue.number)
    json["closedAt"] = closed.flatMap { JSONNumber($0) }.map(JSONValue.number)
    json["closedBy"] = end.map { .string($0.rawValue) }
    return .object(json)
  }
}
