import JSONRPC

/// A day, as text: `2026-11-21`.
public struct PriceDate: Sendable, Hashable {
  public let text: String

  /// - Returns: nil for what is no year, month and day.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], text.utf8.allSatisfy({ $0 == 0x2d || (0x30...0x39).contains($0) }),
      let month = Int(parts[1]), let day = Int(parts[2]), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    self.text = text
  }

  /// For the dates written down in this module.
  init(known text: String) { self.text = text }
}

extension PriceDate: Codable {
  public init(from decoder: any Decoder) throws {
    guard let date = PriceDate(try decoder.singleValueContainer().decode(String.self)) else {
      throw JSONExpectation("a day such as 2026-11-21")
    }
    self = date
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
