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
      self.init(
        status: status, headers: [HeaderField("Content-Type", "application/json; charset=UTF-8")] + headers,
        body: json.serialized())
    }

    public init(status: Int, headers: [HeaderField], body: [UInt8]) {
      self.status = status
      self.headers = headers
      self.body = body
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
    self.model = model
    self.fault = fault
    self.latencyMilliseconds = latencyMilliseconds
    self.imageBytes = imageBytes
    self.response = response
  }

  /// Whether requests for `model` meet it.
  func isMet(by model: String?) -> Bool { self.model == nil || self.model == model }

  /// A good answer.
  public static let success = ScenarioStep()
}

extension ScenarioStep {
  /// The name of success in scenarios.
  static let successName = "ok"

  /// Reads a step: the name of a fault, `ok`, or an object with any of `fault`, `model`, `latencyMs`, `imageBytes`,
  /// `response`.
  /// - Throws: ``ScenarioError``.
  public init(json: JSONValue) throws(ScenarioError) {
    if let name = json.string {
      self.init(try Self.fault(named: name))
      return
    }
    guard let object = json.object else {
      throw ScenarioError("A step must be the name of a fault or an object, not \(json.kindDescription).")
    }
    self.init()
    for (key, value) in object {
      switch key {
      case "fault":
        guard let name = value.string else { throw ScenarioError("\"fault\" must be the name of a fault.") }
        fault = try Self.fault(named: name)
      case "model":
        guard let name = value.string else { throw ScenarioError("\"model\" must be the name of a model.") }
        model = name
      case "latencyMs": latencyMilliseconds = try Self.count(value, key)
      case "imageBytes": imageBytes = try Self.count(value, key)
      case "response": response = try Response(reading: value)
      default:
        throw ScenarioError("A step has no \"\(key)\"; it has fault, model, latencyMs, imageBytes and response.")
      }
    }
  }

  /// Reads a scenario: a list of steps.
  /// - Throws: ``ScenarioError``.
  public static func list(json: JSONValue) throws(ScenarioError) -> [ScenarioStep] {
    guard let array = json.array else { throw ScenarioError("A scenario must be a list of steps.") }
    var steps: [ScenarioStep] = []
    for json in array { steps.append(try ScenarioStep(json: json)) }
    return steps
  }

  /// - Throws: ``ScenarioError`` when there is no such fault.
  static func fault(named name: String) throws(ScenarioError) -> Fault? {
    if name == successName { return nil }
    guard let fault = Fault(name: name) else {
      throw ScenarioError("There is no fault named \"\(name)\"; gemini-simulator --list-faults names them all.")
    }
    return fault
  }

  static func count(_ value: JSONValue, _ key: String) throws(ScenarioError) -> Int {
    guard let count = value.number?.integer(as: Int.self), 0...1_000_000_000 ~= count else {
      throw ScenarioError("\"\(key)\" must be an integer from 0 to 1000000000.")
    }
    return count
  }

  var json: JSONValue {
    var object: JSONObject = ["fault": .string(fault?.name ?? Self.successName)]
    if let model { object["model"] = .string(model) }
    if let latencyMilliseconds { object["latencyMs"] = .number(JSONNumber(latencyMilliseconds)) }
    if let imageBytes { object["imageBytes"] = .number(JSONNumber(imageBytes)) }
    if let response { object["response"] = ["status": .number(JSONNumber(response.status))] }
    return object.count == 1 ? object["fault"] ?? .null : .object(object)
  }
}

extension ScenarioStep.Response {
  init(reading json: JSONValue) throws(ScenarioError) {
    guard let object = json.object, let body = object["body"] else {
      throw ScenarioError("\"response\" must be an object with a body, and perhaps status and headers.")
    }
    var headers: [HeaderField] = []
    for (name, value) in object["headers"]?.object ?? [:] {
      guard let value = value.string else { throw ScenarioError("The header \"\(name)\" must be a string.") }
      headers.append(HeaderField(name, value))
    }
    let status = try object["status"].map { value throws(ScenarioError) in try ScenarioStep.count(value, "status") }
    if let text = body.string {
      self.init(status: status ?? 200, headers: headers, body: Array(text.utf8))
    } else {
      self.init(status: status ?? 200, headers: headers, json: body)
    }
  }
}
