import JSONRPC

/// A type that says in words what it and its members mean; the schema carries them.
public protocol SchemaDescribed {
  /// What the type is; empty where its members say it all.
  static var summary: String { get }

  /// What each member means, by its name on the wire.
  static var members: [String: String] { get }

  /// What holds of the members together, as JSON Schema keywords.
  static var keywords: JSONObject { get }
}

extension SchemaDescribed {
  public static var summary: String { "" }
  public static var members: [String: String] { [:] }
  public static var keywords: JSONObject { [:] }
}
