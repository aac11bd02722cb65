import JSONRPC

/// An integer within bounds.
public protocol IntegerRange: ValueRule where Value == Int {
  static var range: ClosedRange<Int> { get }
}

extension IntegerRange {
  public static var expected: String { "an integer from \(range.lowerBound) to \(range.upperBound)" }

  public static var keywords: JSONObject {
    [
      "type": "integer", "minimum": .number(JSONNumber(range.lowerBound)),
      "maximum": .number(JSONNumber(range.upperBound)),
    ]
  }

  public static func allows(_ value: Int) -> Bool { range.contains(value) }
}

/// How many variations of a picture (REQUIREMENTS 1.5).
public enum ImageCount: IntegerRange { public static let range = 1...4 }

/// How many entries a page has.
public enum PageSize: IntegerRange { public static let range = 1...100 }

/// How long a generation may take, in milliseconds: up to an hour.
public enum Timeout: IntegerRange { public static let range = 1...3_600_000 }

/// How long a request may wait for its provider, in milliseconds: up to thirty days.
public enum Wait: IntegerRange { public static let range = 1...2_592_000_000 }

/// A whole number that makes a result repeatable where the provider can.
public enum Seed: IntegerRange { public static let range = 0...4_294_967_295 }

/// Which picture of a result, from 0.
public enum ImageIndex: IntegerRange { public static let range = 0...3 }

/// What a person thinks of a result, from bad to good (REQUIREMENTS 7.4).
public enum Rating: IntegerRange { public static let range = 1...5 }
