import JSON

/// An optional member of an answer or a notification that names a file of the host.
///
/// A confined connection is told only the paths in the operator's folders: an encoder that does not disclose the path leaves
/// the member out.
@propertyWrapper
public struct HostPath: Sendable, Equatable {
  public var wrappedValue: String?

  public init(wrappedValue: String?) { self.wrappedValue = wrappedValue }
}

extension HostPath: Codable {
  public init(from decoder: any Decoder) throws { wrappedValue = try String(from: decoder) }

  public func encode(to encoder: any Encoder) throws {
    if let path = wrappedValue, let encoder = encoder as? any DisclosingEncoder, !encoder.isDisclosed(path) {
      return encoder.leaveOut()
    }
    try wrappedValue.encode(to: encoder)
  }
}

// Synthesised coding asks for a wrapper as for a required member; these make it the optional member that it is.
extension KeyedDecodingContainer {
  public func decode(_ type: HostPath.Type, forKey key: Key) throws -> HostPath {
    try decodeIfPresent(type, forKey: key) ?? HostPath(wrappedValue: nil)
  }
}

extension KeyedEncodingContainer {
  public mutating func encode(_ value: HostPath, forKey key: Key) throws {
    try encodeIfPresent(value.wrappedValue == nil ? nil : value, forKey: key)
  }
}
