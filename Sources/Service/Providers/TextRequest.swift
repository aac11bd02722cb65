/// A conversation so far, and what the model may do next.
public struct TextRequest: Sendable {
  /// What the model is told before the conversation.
  public var instructions: String
  public var messages: [TextMessage]
  /// What the model may call.
  public var functions: [FunctionDeclaration]
  /// False: the model must answer in words now.
  public var mayCall: Bool
  /// Nil for the provider's default text model.
  public var model: String?
  /// 0…2; nil leaves it to the provider.
  public var temperature: Double?
  public var seed: Int?
  /// The time limit of this turn, in milliseconds.
  public var timeoutMs: Int

  public init(
    instructions: String, messages: [TextMessage], functions: [FunctionDeclaration], mayCall: Bool = true,
    model: String? = nil, temperature: Double? = nil, seed: Int? = nil, timeoutMs: Int
  ) {
    self.instructions = instructions
    self.messages = messages
    self.functions = functions
    self.mayCall = mayCall
    self.model = model
    self.temperature = temperature
    self.seed = seed
    self.timeoutMs = timeoutMs
  }

  /// The words of the person, which servers quote in refusals.
  var spokenWords: String {
    messages.compactMap { if case .user(let text) = $0 { text } else { nil } }.joined(separator: "\n")
  }
}
