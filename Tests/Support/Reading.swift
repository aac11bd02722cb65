import JSON

/// Reads params as the service does.
public func read<T: Decodable>(_ type: T.Type, _ value: JSONValue) throws(JSONDecodingFailure) -> T {
  try JSONValueDecoder(unknownMembers: .reject).decode(type, from: value)
}

/// Why the params cannot be read; nil when they can.
public func failure<T: Decodable>(_ type: T.Type, _ value: JSONValue) -> JSONDecodingFailure? {
  do {
    _ = try read(type, value)
    return nil
  } catch {
    return error
  }
}

/// What was expected instead of `value`; nil when it can be read.
public func expectation<T: Decodable>(_ type: T.Type, _ value: JSONValue) -> String? { failure(type, value)?.expected }

public func written(_ value: some Encodable) throws -> JSONValue { try JSONValueEncoder().encode(value) }
