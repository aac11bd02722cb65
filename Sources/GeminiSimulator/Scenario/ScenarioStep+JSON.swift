import JSONRPC

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
