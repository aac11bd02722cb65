/// JSON inside Codable types is taken over verbatim by the coders of this module; the code here serves any other
/// coder, where numbers lose their text and objects their order.
extension JSONValue: Codable {
  public init(from decoder: any Decoder) throws {
    if let decoding = decoder as? JSONDecoding {
      self = decoding.value
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? container.decode(Int64.self) {
      self = .number(JSONNumber(integer))
    } else if let double = try? container.decode(Double.self), let number = JSONNumber(double) {
      self = .number(number)
    } else if let string = try? container.decode(String.self) {
      self = .string(string)
    } else if let array = try? container.decode([JSONValue].self) {
      self = .array(array)
    } else {
      let members = try container.decode([String: JSONValue].self)
      self = .object(JSONObject(members: members.map { ($0.key, $0.value) }))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    if let encoding = encoder as? JSONEncoding {
      encoding.node.content = .value(self)
      return
    }
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let bool): try container.encode(bool)
    case .number(let number):
      if let integer = number.int64 { try container.encode(integer) } else { try container.encode(number.double) }
    case .string(let string): try container.encode(string)
    case .array(let array): try container.encode(array)
    case .object(let object):
      try container.encode(Dictionary(object.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }))
    }
  }
}

extension JSONObject: Codable {
  public init(from decoder: any Decoder) throws {
    guard case .object(let object) = try JSONValue(from: decoder) else { throw JSONExpectation("an object") }
    self = object
  }

  public func encode(to encoder: any Encoder) throws { try JSONValue.object(self).encode(to: encoder) }
}

extension JSONNumber: Codable {
  public init(from decoder: any Decoder) throws {
    guard case .number(let number) = try JSONValue(from: decoder) else { throw JSONExpectation("a number") }
    self = number
  }

  public func encode(to encoder: any Encoder) throws { try JSONValue.number(self).encode(to: encoder) }
}
