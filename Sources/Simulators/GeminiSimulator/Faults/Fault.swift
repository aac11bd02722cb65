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
  /// A model that calls functions in an unusual way, or a geocoder with an unusual answer.
  case tool(ToolFault)

  public static let allCases =
    ErrorFault.allCases.map(Fault.error) + FinishReason.allCases.map(Fault.finish)
    + BlockReason.allCases.map(Fault.block) + AnswerFault.allCases.map(Fault.answer)
    + StreamFault.allCases.map(Fault.stream) + TransportFault.allCases.map(Fault.transport)
    + OpenAIFault.allCases.map(Fault.openAI)
    + ToolFault.allCases.map(Fault.tool)

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

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
    case .tool(let fault): fault.rawValue
    }
  }

  /// One line on what happens.
  public var summary: String { entry.summary }

  var entry: FaultEntry { Resources.faults[name] ?? FaultEntry(summary: "") }

  /// The whole answer; nil for a fault that is no HTTP error.
  /// - Parameter model: the one asked for, which the message may name.
  func errorAnswer(model: String = "") -> HTTPAnswer? {
    guard let status = entry.status, let pieces = Self.bodies[name] else { return nil }
    let text = pieces.joined(separator: model)
    guard entry.body?.string == nil else { return .html(status: status, text) }
    var answer = HTTPAnswer.json(status: status, Array(text.utf8))
    answer.headers += (entry.headers ?? [:]).sorted(by: <).map { HeaderField($0.key, $0.value) }
    return answer
  }

  /// The same as OpenAI's API tells it; what is no JSON stays as it is.
  func openAIErrorAnswer(model: String) -> HTTPAnswer? {
    guard case .error = self, let status = entry.status, let body = entry.body, body.string == nil else {
      return errorAnswer(model: model)
    }
    let error = (body[0] ?? body)["error"]
    let message = error?["message"]?.string?.replacing("{model}", with: model) ?? ""
    let type = error?["code"]?.int64 ?? 0 >= 500 ? "server_error" : "invalid_request_error"
    return .openAIError(status, message, type: type)
  }

  /// The texts of the bodies in `faults.json`, cut where the model goes.
  private static let bodies = Resources.faults.compactMapValues { entry in
    entry.body.map { ($0.string ?? $0.serializedText).split(separator: "{model}", omittingEmptySubsequences: false) }
  }
}

/// What `faults.json` says of a fault.
struct FaultEntry: Decodable, Sendable {
  var summary: String
  /// Of the answer, when the fault is an HTTP error. The body is JSON, or a string that is a page of HTML.
  var status: Int?
  var headers: [String: String]?
  var body: JSONValue?
}

extension AnswerFault {
  /// The answer of a fault that breaks the whole body; nil for the others.
  /// - Parameters:
  ///   - good: what would have been answered.
  ///   - write: puts its pictures in.
  func brokenBody(_ good: JSONValue, _ write: (JSONValue) -> [UInt8]) -> HTTPAnswer? {
    switch self {
    case .html:
      return .html(
        "<!DOCTYPE html>\n<html><head><title>Sign in to the network</title></head><body>Welcome.</body></html>\n")
    case .notJSON: return .json(Array("OK\n".utf8))
    case .truncatedJSON:
      let bytes = write(good)
      return .json(Array(bytes.prefix(bytes.count / 2)))
    case .emptyBody: return HTTPAnswer("application/json")
    case .array: return .json(write([good]))
    case .deepJSON:
      return .json(Array((String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)).utf8))
    case .wrongTypes: return .json(["candidates": 7, "usageMetadata": "none", "modelVersion": ["x"]])
    default: return nil
    }
  }
}
