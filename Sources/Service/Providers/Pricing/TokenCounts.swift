/// The tokens of one request, by kind; nil if the provider did not report a count.
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
