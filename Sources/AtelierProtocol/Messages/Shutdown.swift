/// `shutdown`: the host is about to leave. Only `exit` and cancels are accepted afterwards.
public struct Shutdown: RequestMessage, Parameterless {
  public static let method = "shutdown"

  public init() {}

  public typealias Result = NullResult
}

extension Shutdown: SchemaDescribed {
  public static let summary = "The host is about to leave. Only `exit` and cancels are accepted afterwards."
}
