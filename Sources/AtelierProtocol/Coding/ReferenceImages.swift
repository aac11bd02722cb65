import JSONRPC

/// The pictures beside the photo: with it no more than three in a request (REQUIREMENTS 1.3).
public enum ReferenceImages: ValueRule {
  public typealias Value = [ImageSource]

  public static let maximum = 2

  public static var expected: String { "at most \(maximum) images" }
  public static var keywords: JSONObject { ["maxItems": .number(JSONNumber(maximum))] }

  public static func allows(_ value: [ImageSource]) -> Bool { value.count <= maximum }

  /// What is wrong with one of the pictures is told of that picture.
  public static func read(from decoder: any Decoder) throws -> [ImageSource] { try [ImageSource](from: decoder) }
}
