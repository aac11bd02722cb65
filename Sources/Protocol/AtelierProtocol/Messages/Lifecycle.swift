import JSON

/// The host has received the answer to `initialize`. The service accepts it and does nothing.
public struct Initialized: NotificationMessage, Parameterless {
  public static let method = "initialized"

  public init() {}
}

/// Announces that the host will end the connection. Afterwards only `exit`, `cancel` and `$/cancelRequest` are
/// accepted.
public struct Shutdown: RequestMessage, Parameterless {
  public static let method = "shutdown"

  public init() {}

  public typealias Result = NullResult
}

/// Ends the process at once, with exit code 0 after `shutdown` and 1 otherwise.
public struct Exit: NotificationMessage, Parameterless {
  public static let method = "exit"

  public init() {}
}

/// Checks that the service responds. Answered at once, whatever else is running.
public struct Ping: RequestMessage, Parameterless {
  public static let method = "ping"

  public init() {}

  /// An empty object.
  public struct Result: Codable, Sendable, Equatable {
    public init() {}
  }
}

/// Returns the OpenRPC document of the service.
public struct Discover: RequestMessage, Parameterless {
  public static let method = "rpc.discover"

  public init() {}

  /// The document.
  public typealias Result = JSONValue
}
