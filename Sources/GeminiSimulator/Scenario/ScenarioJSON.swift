import JSON

/// Why a scenario, a step of one, or a marker in a prompt is not understood.
public struct ScenarioError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence for its author.
  public var description: String

  init(_ description: String) { self.description = description }
}

extension ScenarioStep {
  /// The name of success in scenarios.
  private static let successName = "ok"
  /// What milliseconds and bytes may be.
  static let range = 0...1_000_000_000

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

  /// - Throws: ``ScenarioError`` when there is no such fault.
  static func fault(named name: String) throws(ScenarioError) -> Fault? {
    if name == successName { return nil }
    guard let fault = Fault(name: name) else {
      throw ScenarioError("There is no fault named \"\(name)\"; gemini-simulator --list-faults names them all.")
    }
    return fault
  }

  var json: JSONValue {
    var object: JSONObject = ["fault": .string(fault?.name ?? Self.successName)]
    object["model"] = model.map(JSONValue.string)
    object["latencyMs"] = latencyMilliseconds.map { JSONValue($0) }
    object["imageBytes"] = imageBytes.map { JSONValue($0) }
    object["response"] = response.map { ["status": JSONValue($0.status)] }
    return object.count == 1 ? object["fault"] ?? .null : .object(object)
  }
}

extension ScenarioStep: Decodable {
  private enum CodingKeys: String, CodingKey { case fault, model, latencyMs, imageBytes, response }

  private struct FaultName: Decodable {
    var fault: Fault?

    init(from decoder: any Decoder) throws {
      do {
        fault = try ScenarioStep.fault(named: decoder.singleValueContainer().decode(String.self))
      } catch is ScenarioError {
        throw JSONExpectation("the name of a fault that gemini-simulator --list-faults tells, or ok")
      } catch {
        throw JSONExpectation("the name of a fault")
      }
    }
  }

  fileprivate struct Count: Decodable {
    var value: Int

    init(from decoder: any Decoder) throws {
      value = (try? decoder.singleValueContainer().decode(Int.self)) ?? -1
      guard ScenarioStep.range.contains(value) else { throw JSONExpectation("an integer from 0 to 1000000000") }
    }
  }

  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if (try? value.decode(String.self)) != nil {
      self.init(try FaultName(from: decoder).fault)
      return
    }
    guard (try? value.decode(JSONObject.self)) != nil else {
      throw JSONExpectation("the name of a fault or an object")
    }
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
