import AtelierProtocol
import Crypto
import Encodings

/// The UUID by which a purchase names an account: the host passes it to the shop when it starts a purchase.
///
/// StoreKit accepts only a UUID (`appAccountToken`), while an account id may be any text. An account id that is a UUID
/// is its own token; the token of any other is its version 5 UUID (RFC 9562 section 5.5) under ``namespace``, with the
/// id's UTF-8 as the name, so that any host can compute it.
public struct AppAccountToken: Sendable, Hashable {
  /// The namespace of the derived tokens. It never changes: shops keep purchases made under it permanently.
  public static let namespace = "f0d8fe6d-1201-4896-b790-c3437a3f38f7"

  private static let namespaceBytes: [UInt8] = [
    0xf0, 0xd8, 0xfe, 0x6d, 0x12, 0x01, 0x48, 0x96, 0xb7, 0x90, 0xc3, 0x43, 0x7a, 0x3f, 0x38, 0xf7,
  ]

  /// The UUID in lower case: `c8b2b3a8-…`.
  public let text: String

  /// The token of `account`.
  public init(for account: AccountID) {
    text = Self.canonical(account.rawValue) ?? Self.derived(from: account.rawValue)
  }

  /// Whether `other` is the same UUID, ignoring case.
  public func matches(_ other: String) -> Bool { Self.canonical(other) == text }

  /// `text` in lower case, if it is a UUID in the format of RFC 9562 section 4.
  private static func canonical(_ text: String) -> String? {
    var canonical: [UInt8] = []
    for (position, byte) in text.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "-") where [8, 13, 18, 23].contains(position): canonical.append(byte)
      case _ where [8, 13, 18, 23].contains(position): return nil
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): canonical.append(byte)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): canonical.append(byte | 0x20)
      default: return nil
      }
    }
    return canonical.count == 36 ? String(decoding: canonical, as: UTF8.self) : nil
  }

  private static func derived(from name: String) -> String {
    var bytes = Array(Insecure.SHA1.hash(data: namespaceBytes + name.utf8).prefix(16))
    bytes[6] = bytes[6] & 0x0f | 0x50
    bytes[8] = bytes[8] & 0x3f | 0x80
    let groups = [bytes[0..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10..<16]]
    return groups.map(Hexadecimal.text).joined(separator: "-")
  }
}

extension AppAccountToken: CustomStringConvertible {
  public var description: String { text }
}
