import AtelierProtocol
import JSON

/// The model's turn: words, calls, or both.
public struct TextAnswer: Sendable {
  public var text: String
  public var calls: [FunctionCall]
  /// To be sent back unchanged in the next request, signatures included.
  public var turn: JSONValue
  public var model: String
  public var usage: Usage

  public init(text: String, calls: [FunctionCall], turn: JSONValue, model: String, usage: Usage) {
    self.text = text
    self.calls = calls
    self.turn = turn
    self.model = model
    self.usage = usage
  }
}
