/// A call and what it is answered with.
public struct RequestExample<Message: RequestMessage>: Sendable {
  /// What it shows, in a few words.
  public var name: String
  public var params: Message
  public var answer: Message.Answer

  public init(_ name: String, _ params: Message, answer: Message.Answer) {
    self.name = name
    self.params = params
    self.answer = answer
  }
}
