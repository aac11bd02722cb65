import JSONRPC
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
