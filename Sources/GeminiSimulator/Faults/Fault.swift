/// Something other than a prompt and good answer, by the name that prompts, options and scenarios use.
public enum Fault: Sendable, Hashable, CaseIterable {
  /// An HTTP error with the API's own body.
  case error(ErrorFault)
  /// A candidate that ended for another reason than `STOP`. OpenAI's API has no candidates and succeeds.
  case finish(FinishReason)
  /// A prompt that was blocked, so that there is no candidate. OpenAI's API succeeds.
  case block(BlockReason)
  /// HTTP 200 with something else than a good picture. OpenAI's API has those of the picture's bytes and of the body.
  case answer(AnswerFault)
  /// A stream of events that goes wrong; answers that are no streams are not touched.
  case stream(StreamFault)
  /// A connection that goes wrong, or an answer that comes in an unusual way.
  case transport(TransportFault)
  /// What OpenAI's Images API and its imitators answer; sent by either API.
  case openAI(OpenAIFault)

  public static var allCases: [Fault] {
    ErrorFault.allCases.map(Fault.error) + FinishReason.allCases.map(Fault.finish)
      + BlockReason.allCases.map(Fault.block) + AnswerFault.allCases.map(Fault.answer)
      + StreamFault.allCases.map(Fault.stream) + TransportFault.allCases.map(Fault.transport)
      + OpenAIFault.allCases.map(Fault.openAI)
  }

  private static let byName = Dictionary(allCases.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  /// - Returns: nil when no fault has that name.
  public init?(name: String) {
    guard let fault = Self.byName[name] else { return nil }
    self = fault
  }

  public var name: String {
    switch self {
    case .error(let fault): fault.rawValue
    case .finish(let reason): "finish:\(reason.rawValue)"
    case .block(let reason): "block:\(reason.rawValue)"
    case .answer(let fault): fault.rawValue
    case .stream(let fault): fault.rawValue
    case .transport(let fault): fault.rawValue
    case .openAI(let fault): fault.rawValue
    }
  }

  /// One line on what happens.
  public var summary: String {
    switch self {
    case .error(let fault): fault.summary
    case .finish(let reason): reason.summary
    case .block(let reason): reason.summary
    case .answer(let fault): fault.summary
    case .stream(let fault): fault.summary
    case .transport(let fault): fault.summary
    case .openAI(let fault): fault.summary
    }
  }
}

/// A stream of server-sent events that goes wrong, or looks unusual.
public enum StreamFault: String, Sendable, CaseIterable {
  case error = "sse-error"
  case bareError = "sse-bare-error"
  case noFinish = "sse-no-finish"
  case done = "sse-done"
  case carriageReturns = "sse-crlf"
  case comments = "sse-comments"
  case manyLines = "sse-many-lines"
  case notJSON = "sse-not-json"
  case smallPieces = "sse-small-pieces"

  var summary: String {
    switch self {
    case .error: "the stream ends with data: {\"error\": …} after its first event"
    case .bareError: "the stream ends with an error object that is no event, after its first event"
    case .noFinish: "the stream ends after the picture, without finishReason"
    case .done: "the stream ends with data: [DONE], as OpenAI's does"
    case .carriageReturns: "the lines of the stream end with CR LF"
    case .comments: "comments and event names between the events"
    case .manyLines: "each event in several data: lines"
    case .notJSON: "the second event is no JSON"
    case .smallPieces: "the stream in chunks of 7 bytes, cutting events and characters"
    }
  }
}
