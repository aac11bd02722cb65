import JSON
import Synchronization

/// What the coming requests meet: steps used up one by one, then always the same.
final class Scenario: Sendable {
  private let state: Mutex<(steps: [ScenarioStep], always: ScenarioStep)>

  init(steps: [ScenarioStep], always: ScenarioStep) { state = Mutex((steps, always)) }

  /// The step for the next request.
  /// - Parameter model: what it asks for, where its address says so.
  func next(model: String?) -> ScenarioStep {
    state.withLock { state in
      if let index = state.steps.firstIndex(where: { $0.isMet(by: model) }) { return state.steps.remove(at: index) }
      return state.always.isMet(by: model) ? state.always : .success
    }
  }

  func append(_ steps: [ScenarioStep]) { state.withLock { $0.steps += steps } }
  func replace(steps: [ScenarioStep]) { state.withLock { $0.steps = steps } }
  func setAlways(_ step: ScenarioStep) { state.withLock { $0.always = step } }

  var json: JSONValue {
    let (pending, always) = state.withLock { $0 }
    return ["pending": .array(pending.map(\.json)), "always": always.json]
  }
}

/// How one request is answered.
public struct ScenarioStep: Sendable, Hashable {
  /// An answer given as it is, instead of one of the simulator's own.
  public struct Response: Sendable, Hashable {
    public var status: Int
    public var headers: [HeaderField]
    public var body: [UInt8]

    /// A body of JSON.
    public init(status: Int = 200, headers: [HeaderField] = [], json: JSONValue) {
      let type = HeaderField("Content-Type", "application/json; charset=UTF-8")
      self.init(status: status, headers: [type] + headers, body: json.serialized())
    }

    public init(status: Int, headers: [HeaderField], body: [UInt8]) {
      (self.status, self.headers, self.body) = (status, headers, body)
    }

    var answer: HTTPAnswer {
      var answer = HTTPAnswer(status: status, "", body)
      answer.headers = headers
      return answer
    }
  }

  /// The model of Gemini's whose requests meet it; nil for those for any. Other requests pass it by.
  public var model: String?
  /// Nil for success.
  public var fault: Fault?
  /// How long the answer takes to begin, in milliseconds; nil for ``SimulatorOptions/latencyMilliseconds``.
  public var latencyMilliseconds: Int?
  /// How large the file of a picture is; nil for ``SimulatorOptions/imageBytes``.
  public var imageBytes: Int?
  /// Takes the place of an answer that makes pictures. A transport fault applies to it as well.
  public var response: Response?

  public init(
    _ fault: Fault? = nil, model: String? = nil, latencyMilliseconds: Int? = nil, imageBytes: Int? = nil,
    response: Response? = nil
  ) {
    (self.fault, self.model, self.response) = (fault, model, response)
    (self.latencyMilliseconds, self.imageBytes) = (latencyMilliseconds, imageBytes)
  }

  /// A good answer.
  public static let success = ScenarioStep()

  /// Whether requests for `model` meet it.
  func isMet(by model: String?) -> Bool { self.model == nil || self.model == model }

  var answerFault: AnswerFault? { if case .answer(let fault)? = fault { fault } else { nil } }
  var openAIFault: OpenAIFault? { if case .openAI(let fault)? = fault { fault } else { nil } }
}

/// What a prompt says about its own answer: `[[fault:NAME]]`, `[[latency:MILLISECONDS]]`, `[[image-bytes:N]]`.
enum PromptMarkers {
  /// Changes the step of the scenario as the prompt demands.
  /// - Throws: ``ScenarioError`` for a marker that is not understood.
  static func apply(_ prompt: String, to step: inout ScenarioStep) throws(ScenarioError) {
    for piece in prompt.split(separator: "[[", omittingEmptySubsequences: false).dropFirst() {
      guard let end = piece.firstRange(of: "]]"), let colon = piece[..<end.lowerBound].firstIndex(of: ":") else {
        continue
      }
      let value = String(piece[piece.index(after: colon)..<end.lowerBound])
      switch piece[..<colon] {
      case "fault": step.fault = try ScenarioStep.fault(named: value)
      case "latency": step.latencyMilliseconds = try number(value)
      case "image-bytes": step.imageBytes = try number(value)
      default: break
      }
    }
  }

  private static func number(_ text: String) throws(ScenarioError) -> Int {
    guard let number = Int(text), ScenarioStep.range.contains(number) else {
      throw ScenarioError("The prompt says \(text), which is no number from 0 to 1000000000.")
    }
    return number
  }
}
