import JSON

/// Serialises messages directly, without building a JSON value for the envelope.
enum MessageSerializer {
  static func bytes(of response: Response) -> [UInt8] {
    var serializer = JSONSerializer(reservingCapacity: 128)
    write(response, to: &serializer)
    return serializer.bytes
  }

  static func bytes(ofBatch responses: [Response]) -> [UInt8] {
    var serializer = JSONSerializer(reservingCapacity: 128 * responses.count)
    var separator = "["
    for response in responses {
      serializer.write(raw: separator)
      write(response, to: &serializer)
      separator = ","
    }
    serializer.write(raw: "]")
    return serializer.bytes
  }

  /// Serialises a request if `id` is given, otherwise a notification.
  static func bytes(ofCall method: String, id: RequestID?, params: JSONValue) -> [UInt8] {
    var serializer = JSONSerializer(reservingCapacity: 256)
    serializer.write(raw: #"{"jsonrpc":"2.0""#)
    if let id {
      serializer.write(raw: #","id":"#)
      serializer.write(id.json)
    }
    serializer.write(raw: #","method":"#)
    serializer.write(string: method)
    if !params.isNull {
      serializer.write(raw: #","params":"#)
      serializer.write(params)
    }
    serializer.write(raw: "}")
    return serializer.bytes
  }

  private static func write(_ response: Response, to serializer: inout JSONSerializer) {
    serializer.write(raw: #"{"jsonrpc":"2.0","id":"#)
    serializer.write(response.id?.json ?? .null)
    switch response.result {
    case .success(let result):
      serializer.write(raw: #","result":"#)
      serializer.write(result)
    case .failure(let error):
      serializer.write(raw: #","error":"#)
      serializer.write(error.json)
    }
    serializer.write(raw: "}")
  }
}
