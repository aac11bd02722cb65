import JSONRPC

/// An amount of US dollars that something costs: 0 to 100,000.
public struct DollarAmount: Sendable, Hashable {
  public let value: Double

  /// - Returns: nil for less than nothing, more than 100,000 and what is no number.
  public init?(_ value: Double) {
    guard (0...100_000).contains(value) else { return nil }
    self.value = value
  }
}

extension DollarAmount: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// A literal out of range becomes the nearest amount.
  public init(floatLiteral value: Double) { self.value = min(max(value, 0), 100_000) }
  public init(integerLiteral value: Int) { self.init(floatLiteral: Double(value)) }
}

extension DollarAmount: Codable {
  public init(from decoder: any Decoder) throws {
    guard let value = try? decoder.singleValueContainer().decode(Double.self), let amount = DollarAmount(value) else {
      throw JSONExpectation("an amount of US dollars from 0 to 100000")
    }
    self = amount
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
