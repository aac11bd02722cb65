/// `ping`: answered at once, whatever else goes on.
public struct Ping: RequestMessage, Parameterless {
  public static let method = "ping"

  public init() {}

  /// An empty object.
  public struct Result: Codable, Sendable, Equatable {
    public init() {}
  }
}

extension Ping: SchemaDescribed {
  public static let summary = "Answered at once, whatever else goes on."
}

extension Ping.Result: SchemaDescribed {
  public static let summary = "An empty object."
}
