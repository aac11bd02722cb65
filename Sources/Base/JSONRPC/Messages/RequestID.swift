import Encodings
import JSON

/// The id that pairs a response with its request, kept exactly as sent: a string, or a number with all its digits.
///
/// Ids are compared byte by byte: `1` and `1.0` are different ids, and so are two encodings of one accented letter.
public enum RequestID: Sendable {
  case string(String)
  case number(JSONNumber)

  /// The id as it goes on the wire.
  public var json: JSONValue {
    switch self {
    case .string(let string): .string(string)
    case .number(let number): .number(number)
    }
  }

  /// The longest accepted id, in bytes of JSON: the id is repeated in every message about its request.
  public static let maximumBytes = 1 << 10

  /// - Returns: nil unless `value` is a string or a number of at most ``maximumBytes``.
  public init?(_ value: JSONValue?) {
    switch value {
    case .string(let string): self = .string(string)
    case .number(let number): self = .number(number)
    default: return nil
    }
    guard value?.serialized().count ?? 0 <= Self.maximumBytes else { return nil }
  }
}

extension RequestID: Hashable {
  public static func == (left: RequestID, right: RequestID) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)): ExactText.areSame(left, right)
    case (.number(let left), .number(let right)): left == right
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .string(let string): hasher.combine(ExactText(string))
    case .number(let number): hasher.combine(number)
    }
  }
}

extension RequestID: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
  public init(stringLiteral value: String) { self = .string(value) }
}

extension RequestID: CustomStringConvertible {
  /// The id as JSON writes it: `7`, `"seven"`.
  public var description: String { json.serializedText }
}
