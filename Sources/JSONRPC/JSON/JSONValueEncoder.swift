/// Writes Codable types as JSON values, members in the order in which the type encodes them.
///
/// Optional members that are nil are omitted (as the synthesised `encodeIfPresent` does).
public struct JSONValueEncoder: Sendable {
  public init() {}

  /// - Throws: `EncodingError` for an infinity or NaN, and whatever the type itself throws.
  public func encode(_ value: some Encodable) throws -> JSONValue {
    let node = JSONEncodingNode()
    try JSONEncoding(node: node, path: .root).encode(value)
    return node.resolved()
  }
}
