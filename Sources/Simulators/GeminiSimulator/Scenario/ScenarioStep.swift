import JSON

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

  /// The model of Gemini's whose requests meet it, or `nominatim` for lookups; nil for requests for any model. Other
  /// requests pass it by.
  public var model: String?
  /// Nil for success.
  public var fault: Fault?
  /// How long the answer takes to begin, in milliseconds; nil for ``SimulatorOptions/latencyMilliseconds``.
  public var latencyMilliseconds: Int?
  /// How large the file of a picture is; nil for a small one.
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

  var answerFault: AnswerFault? { if case .answer(let fault)? = fault { fault } else { nil } }
  var toolFault: ToolFault? { if case .tool(let fault)? = fault { fault } else { nil } }
  var openAIFault: OpenAIFault? { if case .openAI(let fault)? = fault { fault } else { nil } }
  var transportFault: TransportFault? { if case .transport(let fault)? = fault { fault } else { nil } }
}

/// Why a scenario, a step of one, or a marker in a prompt is not understood.
public struct ScenarioError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence for its author.
  public var description: String

  init(_ description: String) { self.description = description }
}

// MARK: Prompts

extension ScenarioStep {
  /// Changes the step as a prompt demands: `[[fault:NAME]]`, `[[latency:MILLISECONDS]]`, `[[image-bytes:N]]`.
  /// - Throws: ``ScenarioError`` for a marker that is not understood.
  mutating func apply(prompt: String) throws(ScenarioError) {
    for piece in prompt.split(separator: "[[", omittingEmptySubsequences: false).dropFirst() {
      guard let end = piece.firstRange(of: "]]"), let colon = piece[..<end.lowerBound].firstIndex(of: ":") else {
        continue
      }
      let value = String(piece[piece.index(after: colon)..<end.lowerBound])
      switch piece[..<colon] {
      case "fault":
        fault = Fault(name: value)
        guard fault != nil || value == Self.successName else {
          throw ScenarioError("There is no fault named \"\(value)\"; gemini-simulator --list-faults names them all.")
        }
      case "latency": latencyMilliseconds = try Self.number(value)
      case "image-bytes": imageBytes = try Self.number(value)
      default: break
      }
    }
  }

  private static func number(_ text: String) throws(ScenarioError) -> Int {
    guard let number = Int(text), Self.range.contains(number) else {
      throw ScenarioError("The prompt says \(text), which is no number from 0 to 1000000000.")
    }
    return number
  }

  /// The name of success in scenarios.
  private static let successName = "ok"
  /// What milliseconds and bytes may be.
  private static let range = 0...1_000_000_000
}

// MARK: JSON

extension ScenarioStep: Decodable {
  /// Reads a step: the name of a fault, `ok`, or an object with any of `fault`, `model`, `latencyMs`, `imageBytes`,
  /// `response`.
  public init(json: JSONValue) throws(ScenarioError) { self = try Self.decoded(json) }

  /// Reads a scenario: a list of steps.
  public static func list(json: JSONValue) throws(ScenarioError) -> [ScenarioStep] { try decoded(json) }

  private static func decoded<Value: Decodable>(_ json: JSONValue) throws(ScenarioError) -> Value {
    do {
      return try JSONValueDecoder(unknownMembers: .reject).decode(from: json)
    } catch {
      throw ScenarioError(error.message)
    }
  }

  private enum CodingKeys: String, CodingKey { case fault, model, latencyMs, imageBytes, response }

  private struct FaultName: Decodable {
    var fault: Fault?

    init(from decoder: any Decoder) throws {
      let name = (try? String(from: decoder)) ?? ""
      fault = Fault(name: name)
      guard fault != nil || name == ScenarioStep.successName else {
        throw JSONExpectation("the name of a fault that gemini-simulator --list-faults tells, or ok")
      }
    }
  }

  fileprivate struct Count: Decodable {
    var value: Int

    init(from decoder: any Decoder) throws {
      value = (try? Int(from: decoder)) ?? -1
      guard ScenarioStep.range.contains(value) else { throw JSONExpectation("an integer from 0 to 1000000000") }
    }
  }

  public init(from decoder: any Decoder) throws {
    if (try? String(from: decoder)) != nil {
      self.init(try FaultName(from: decoder).fault)
      return
    }
    guard (try? JSONObject(from: decoder)) != nil else { throw JSONExpectation("the name of a fault or an object") }
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try members.decodeIfPresent(FaultName.self, forKey: .fault)?.fault,
      model: try members.decodeIfPresent(String.self, forKey: .model),
      latencyMilliseconds: try members.decodeIfPresent(Count.self, forKey: .latencyMs)?.value,
      imageBytes: try members.decodeIfPresent(Count.self, forKey: .imageBytes)?.value,
      response: try members.decodeIfPresent(Response.self, forKey: .response))
  }
}

extension ScenarioStep.Response: Decodable {
  private enum CodingKeys: String, CodingKey { case status, headers, body }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let status = try members.decodeIfPresent(ScenarioStep.Count.self, forKey: .status)?.value ?? 200
    let headers = try members.decodeIfPresent([String: String].self, forKey: .headers) ?? [:]
    let fields = headers.sorted(by: <).map { HeaderField($0.key, $0.value) }
    let body = try members.decode(JSONValue.self, forKey: .body)
    if let text = body.string {
      self.init(status: status, headers: fields, body: Array(text.utf8))
    } else {
      self.init(status: status, headers: fields, json: body)
    }
  }
}
