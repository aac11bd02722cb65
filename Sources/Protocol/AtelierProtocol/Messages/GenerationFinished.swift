import JSON

/// The end of a detached generation; sent once, by the process that accepted the request.
public struct GenerationFinished: NotificationMessage {
  public static let method = "generation/finished"

  /// The generation, in a final state; never with inline data.
  public var generation: Generation

  public init(_ generation: Generation) { self.generation = generation }

  public init(from decoder: any Decoder) throws { generation = try Generation(from: decoder) }

  public func encode(to encoder: any Encoder) throws { try generation.encode(to: encoder) }
}
