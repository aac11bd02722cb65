import AtelierProtocol
import Imaging

/// An image made by a provider, with its bytes unchanged.
public struct ProviderImage: Sendable {
  /// The encoded image, stored verbatim.
  public var bytes: [UInt8]
  public var mimeType: String
  /// Pixels.
  public var width: Int
  public var height: Int
  public var model: String
  public var usage: Usage
  public var warnings: [Warning]
  /// The text that the model returned with the image.
  public var text: String?
  /// The matte of the image, if the request wanted it.
  public var matte: EncodedImage?
  /// The turn to send back to the model to continue the conversation; nil if the provider keeps none.
  public var turn: ModelTurn?
  /// The photo in the form for remote providers, if the request wanted it and the provider prepares it by the way.
  public var preparedPhoto: EncodedImage?

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
