import JSONRPC

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
