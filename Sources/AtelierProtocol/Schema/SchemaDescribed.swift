/// A type that says in words what it and its members mean; the schema carries them.
public protocol SchemaDescribed {
  /// What the type is, in a sentence; empty where its members say it all.
  static var summary: String { get }

  /// What each member means, by its name on the wire; where bounds are not told by the type, they are told here.
  static var members: [String: String] { get }
}

extension SchemaDescribed {
  public static var summary: String { "" }
  public static var members: [String: String] { [:] }
}
