import JSONRPC

/// `rpc.discover`: the OpenRPC document of this service.
public struct Discover: RequestMessage, Parameterless {
  public static let method = "rpc.discover"

  public init() {}

  /// The document; see ``SchemaExport``.
  public typealias Result = JSONValue
}

extension Discover: SchemaDescribed {
  public static let summary = "The OpenRPC document of this service."
}
