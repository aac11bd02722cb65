import JSON

/// Any data of a host; the service never interprets it.
public enum Metadata: ValueRule {
  public typealias Value = JSONObject

  /// Measured as compact JSON.
  public static let maximumBytes = 4_096

  public static var expected: String { "an object of at most \(maximumBytes) bytes as JSON" }
  public static var keywords: JSONObject { ["type": "object"] }

  public static func allows(_ value: JSONObject) -> Bool {
    JSONValue.object(value).serialized().count <= maximumBytes
  }
}
