/// What a prompt says about its own answer: `[[fault:NAME]]`, `[[latency:MILLISECONDS]]`, `[[image-bytes:N]]`.
enum PromptMarkers {
  /// The step of the scenario, changed as the prompt demands.
  /// - Throws: ``ScenarioError`` for a marker that is not understood.
  static func apply(_ prompt: String, to step: ScenarioStep) throws(ScenarioError) -> ScenarioStep {
    var step = step
    var rest = prompt.utf8[...]
    while let opening = rest.firstRange(of: Array("[[".utf8)) {
      rest = rest[opening.upperBound...]
      guard let closing = rest.firstRange(of: Array("]]".utf8)) else { break }
      let marker = String(Substring(rest[..<closing.lowerBound]))
      guard let colon = marker.firstIndex(of: ":") else { continue }
      try apply(String(marker[..<colon]), String(marker[marker.index(after: colon)...]), to: &step)
    }
    return step
  }

  private static func apply(
    _ name: String, _ value: String, to step: inout ScenarioStep
  ) throws(ScenarioError) {
    switch name {
    case "fault": step.fault = try ScenarioStep.fault(named: value)
    case "latency": step.latencyMilliseconds = try number(value, name)
    case "image-bytes": step.imageBytes = try number(value, name)
    default: break
    }
  }

  private static func number(_ text: String, _ name: String) throws(ScenarioError) -> Int {
    guard let number = Int(text), 0...1_000_000_000 ~= number else {
      throw ScenarioError("The prompt says [[\(name):\(text)]], which is no number from 0 to 1000000000.")
    }
    return number
  }
}
