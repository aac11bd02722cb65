/// The tokens of one request, by what they stand for; nil is what the provider did not say.
public struct TokenCounts: Sendable, Equatable {
  public var textInput: Int?
  public var imageInput: Int?
  public var textOutput: Int?
  public var imageOutput: Int?

  public init(textInput: Int? = nil, imageInput: Int? = nil, textOutput: Int? = nil, imageOutput: Int? = nil) {
    self.textInput = textInput
    self.imageInput = imageInput
    self.textOutput = textOutput
    self.imageOutput = imageOutput
  }
}
