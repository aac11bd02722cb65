import JSON
import Synchronization

/// What the coming requests meet: steps used up one by one, then always the same.
final class Scenario: Sendable {
  private struct State {
    var steps: [ScenarioStep]
    /// The steps before this one are used up.
    var position = 0
    var always: ScenarioStep
  }

  private let state: Mutex<State>

  init(steps: [ScenarioStep], always: ScenarioStep) { state = Mutex(State(steps: steps, always: always)) }

  /// The step for the next request.
  /// - Parameter model: what it asks for, where its address says so.
  func next(model: String?) -> ScenarioStep {
    state.withLock { state in
      guard let index = state.steps[state.position...].firstIndex(where: { $0.isMet(by: model) }) else {
        return state.always.isMet(by: model) ? state.always : .success
      }
      guard index == state.position else { return state.steps.remove(at: index) }
      state.position += 1
      return state.steps[index]
    }
  }

  func append(_ steps: [ScenarioStep]) {
    state.withLock { state in
      state.steps.removeFirst(state.position)
      state.position = 0
      state.steps += steps
    }
  }

  func replace(steps: [ScenarioStep]) {
    state.withLock { state in
      state.steps = steps
      state.position = 0
    }
  }

  func setAlways(_ step: ScenarioStep) { state.withLock { $0.always = step } }

  var json: JSONValue {
    let (pending, always) = state.withLock { (Array($0.steps.dropFirst($0.position)), $0.always) }
    return ["pending": .array(pending.map(\.json)), "always": always.json]
  }
}

/// Why a scenario, a step of one, or a marker in a prompt is not understood.
public struct ScenarioError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence for its author.
  public var description: String

  init(_ description: String) { self.description = description }
}

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
