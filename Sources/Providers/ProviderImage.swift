import AtelierProtocol

/// A picture a provider made: its bytes exactly as it gave them.
public struct ProviderImage: Sendable {
  /// The encoded picture, stored verbatim (REQUIREMENTS 1.9).
  public var bytes: [UInt8]
  public var mimeType: String
  /// Pixels.
  public var width: Int
  public var height: Int
  public var model: String
  public var usage: Usage
  public var warnings: [Warning]
  /// Words the model gave with the picture.
  public var text: String?
  /// What the model must be given back to go on from here; nil where it keeps nothing.
  public var turn: ModelTurn?

  public init(
    bytes: [UInt8], mimeType: String, width: Int, height: Int, model: String, usage: Usage, warnings: [Warning] = [],
    text: String? = nil, turn: ModelTurn? = nil
  ) {
    self.bytes = bytes
    self.mimeType = mimeType
    self.width = width
    self.height = height
    self.model = model
    self.usage = usage
    self.warnings = warnings
    self.text = text
    self.turn = turn
  }
}
