import JSONRPC

/// A number within bounds.
public protocol NumberRange: ValueRule where Value == Double {
  static var range: ClosedRange<Double> { get }
}

extension NumberRange {
  public static var expected: String { "a number from \(text(range.lowerBound)) to \(text(range.upperBound))" }

  public static var keywords: JSONObject {
    [
      "type": "number", "minimum": .init(floatLiteral: range.lowerBound),
      "maximum": .init(floatLiteral: range.upperBound),
    ]
  }

  public static func allows(_ value: Double) -> Bool { range.contains(value) }

  private static func text(_ bound: Double) -> String { JSONNumber(bound)?.text ?? "\(bound)" }
}

/// How freely a model chooses (REQUIREMENTS 1.2, 1.3).
public enum Temperature: NumberRange { public static let range = 0.0...2.0 }
