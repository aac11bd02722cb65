import AtelierProtocol
import Engine

/// The settings of `atelier mcp`.
public struct MCPSettings: Sendable {
  /// The account that all generations belong to.
  public var account = AccountID.owner
  /// How long a tool call waits for its generation before it answers that the work goes on, in milliseconds. Hosts give
  /// up after about a minute.
  public var waitMs: Int64 = 40_000
  /// Ask the person before a request that costs more credits than this; one credit is one picture by a provider elsewhere.
  public var askAboveCredits = 3
  /// Whether answers have previews. Some hosts turn the data of a picture into text, which fills the model's context.
  public var showsPictures = true
  /// Where relative paths start.
  public var workingDirectory = "/"
  /// What `~` stands for; nil if unknown.
  public var home: String?

  public init() {}
}
