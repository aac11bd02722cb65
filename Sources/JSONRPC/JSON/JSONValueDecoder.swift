/// Reads Codable types from JSON values, and says exactly what is wrong and where when it cannot.
///
/// Integers are exact and range-checked; `1.0` is an integer, `1.5` is not. `JSONValue`, `JSONObject` and
/// `JSONNumber` inside a type are taken over verbatim.
public struct JSONValueDecoder: Sendable {
  /// What becomes of members that the type never asks for.
  public enum UnknownMembers: Sendable {
    /// They are an error, except `_meta`.
    case reject
    case ignore
  }

  private let unknownMembers: UnknownMembers

  public init(unknownMembers: UnknownMembers) {
    self.unknownMembers = unknownMembers
  }

  /// Reads `value` as a `T`.
  /// - Throws: ``JSONDecodingFailure`` with the JSON Pointer of the part that is wrong and what is expected there.
  public func decode<T: Decodable>(
    _ type: T.Type = T.self, from value: JSONValue
  ) throws(JSONDecodingFailure) -> T {
    let record = JSONDecodingRecord(path: .root)
    let result = try JSONDecoding(value: value, path: .root, record: record).decode(type)
    if unknownMembers == .reject, let failure = record.firstUnknownMember() { throw failure }
    return result
  }
}
