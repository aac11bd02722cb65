import Encodings
import JSON

/// An opaque string that names something; on the wire a JSON string of 1 to 128 characters.
///
/// Identifiers are compared, hashed and ordered by their bytes, as the database does: `zo\u{E9}` and `zoe\u{301}` name two
/// accounts, although Swift calls the strings equal.
public protocol Identifier: RawRepresentable<String>, Codable, Hashable, Comparable, Sendable,
  ExpressibleByStringLiteral, CustomStringConvertible
{
  init(rawValue: String)
}

extension Identifier {
  /// The maximum length of an identifier, in Unicode code points.
  public static var maximumLength: Int { 128 }

  public init(stringLiteral value: String) { self.init(rawValue: value) }

  public var description: String { rawValue }

  public static func == (left: Self, right: Self) -> Bool { ExactText.areSame(left.rawValue, right.rawValue) }

  // The standard library has one of its own for whatever has a raw value, which compares strings as Swift does.
  public static func != (left: Self, right: Self) -> Bool { !(left == right) }

  public static func < (left: Self, right: Self) -> Bool { ExactText.precedes(left.rawValue, right.rawValue) }

  public func hash(into hasher: inout Hasher) { ExactText.hash(rawValue, into: &hasher) }

  static var expected: String { "an id of 1 to \(maximumLength) characters" }

  public init(from decoder: any Decoder) throws { self.init(rawValue: try Self.text(from: decoder)) }

  /// Reads the string of an identifier without further checks.
  static func text(from decoder: any Decoder) throws -> String {
    let container = try decoder.singleValueContainer()
    guard let text = try? container.decode(String.self), !text.isEmpty,
      text.unicodeScalars.count <= Self.maximumLength
    else { throw JSONExpectation(expected) }
    return text
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

/// The id of an account: `owner`, the machine's own account, or any other string of the host's choice, except `*` and what
/// begins with `deleted:`, which stands for deleted accounts.
public struct AccountID: Identifier {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// The machine's own account: not metered, and the default.
  public static let owner = AccountID(rawValue: "owner")

  /// With which the id begins under which the ledger keeps the numbers of a deleted account. No request may name one.
  public static let deletedPrefix = "deleted:"

  /// Stands for all accounts in the requests that allow it; not an account itself.
  public static let everybody = AccountID(rawValue: "*")

  public init(from decoder: any Decoder) throws {
    self.init(rawValue: try Self.text(from: decoder))
    guard self != .everybody, !rawValue.hasPrefix(Self.deletedPrefix) else {
      throw JSONExpectation("\(Self.expected) other than * that does not begin with \(Self.deletedPrefix)")
    }
  }
}

/// An account, or `*` for all accounts.
public enum AccountOrEverybody: ValueRule {
  public typealias Value = AccountID

  public static let expected = AccountID.expected
  public static let keywords: JSONObject = [:]

  public static func allows(_ value: AccountID) -> Bool { true }

  public static func read(from decoder: any Decoder) throws -> AccountID {
    AccountID(rawValue: try AccountID.text(from: decoder))
  }
}

/// The id of a generation.
public struct GenerationID: Identifier {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
}

/// The id of a photo that `image/prepare` has prepared.
public struct PreparedID: Identifier {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
}

/// The service's id of a product, which may differ from the ids in the shops.
public struct ProductID: Identifier {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
}

/// The id of a provider: `ondevice`, `gemini` or `openai`; more may be added.
public struct ProviderID: Identifier {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// This machine, without network or key.
  public static let ondevice = ProviderID(rawValue: "ondevice")
  /// Google's image models.
  public static let gemini = ProviderID(rawValue: "gemini")
  /// OpenAI's Images API and servers compatible with it.
  public static let openai = ProviderID(rawValue: "openai")

  /// The providers of this version.
  public static let all: [ProviderID] = [.ondevice, .gemini, .openai]
}

/// A ULID (github.com/ulid/spec) in lower case: the time, then 80 bits of randomness, in 26 characters that survive any
/// file system, shell and double click.
///
/// What is made later sorts after what was made earlier, so the database's indexes grow at their end: a transaction
/// touches a third of the pages that wholly random ids cost it.
public enum ULID {
  /// - Parameters:
  ///   - milliseconds: since 1970; times before it count as its first moment.
  ///   - random: gives 64 random bits.
  public static func text(milliseconds: Int64, random: () -> UInt64) -> String {
    let time = UInt64(max(0, milliseconds)) & (1 << 48 - 1)
    return digits(of: time, count: 10) + digits(of: random(), count: 8) + digits(of: random(), count: 8)
  }

  /// The lowest bits of `number`, five to each digit, the highest first.
  private static func digits(of number: UInt64, count: Int) -> String {
    String((0..<count).reversed().map { alphabet[Int(number >> (5 * UInt64($0)) & 31)] })
  }

  /// Crockford's base 32: without the letters that are taken for digits.
  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
}
