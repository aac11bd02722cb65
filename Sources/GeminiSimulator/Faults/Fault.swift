import JSON

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

  public static let allCases =
    ErrorFault.allCases.map(Fault.error) + FinishReason.allCases.map(Fault.finish)
    + BlockReason.allCases.map(Fault.block) + AnswerFault.allCases.map(Fault.answer)
    + StreamFault.allCases.map(Fault.stream) + TransportFault.allCases.map(Fault.transport)
    + OpenAIFault.allCases.map(Fault.openAI)

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
  public var summary: String { entry.summary }

  var entry: FaultEntry { Resources.faults[name] ?? FaultEntry(summary: "") }
}

/// What `faults.json` says of a fault.
struct FaultEntry: Decodable, Sendable {
  var summary: String
  /// Of the answer, when the fault is an HTTP error. The body is JSON, or a string that is a page of HTML.
  var status: Int?
  var headers: [String: String]?
  var body: JSONValue?

  /// The whole answer; nil for a fault that is no HTTP error.
  /// - Parameter model: the one asked for, which takes the place of `{model}`.
  func answer(model: String, inGoogleStyle isGoogle: Bool) -> HTTPAnswer? {
    guard let status, let body else { return nil }
    if let page = body.string { return .html(status: status, page) }
    let text = body.serializedText.replacing("{model}", with: model)
    guard let json = try? JSONValue(parsing: Array(text.utf8)) else { return nil }
    var answer: HTTPAnswer = isGoogle ? .google(status: status, json) : .json(status: status, json)
    for (name, value) in (headers ?? [:]).sorted(by: <) { answer.headers.append(HeaderField(name, value)) }
    return answer
  }

  /// A Google error as OpenAI's API tells it; what is no JSON stays as it is.
  func answerInOpenAIStyle(model: String) -> HTTPAnswer? {
    guard let status, let body, body.string == nil else { return answer(model: model, inGoogleStyle: false) }
    let error = (body[0] ?? body)["error"]
    let message = error?["message"]?.string?.replacing("{model}", with: model) ?? ""
    let type = error?["code"]?.int64 ?? 0 >= 500 ? "server_error" : "invalid_request_error"
    return .openAIError(status, message, type: type)
  }
}
