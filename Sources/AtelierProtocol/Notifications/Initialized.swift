/// `initialized`: the host has read the answer to `initialize`. Accepted and without effect.
public struct Initialized: NotificationMessage, Parameterless {
  public static let method = "initialized"

  public init() {}
}

extension Initialized: SchemaDescribed {
  public static let summary = "The host has read the answer to `initialize`. Accepted and without effect."
}
