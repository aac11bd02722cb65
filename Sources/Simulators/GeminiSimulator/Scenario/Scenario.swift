import Synchronization

/// What the coming requests meet: steps used up one by one, then always the same.
final class Scenario: Sendable {
  private let state: Mutex<(steps: [ScenarioStep], always: ScenarioStep)>

  init(steps: [ScenarioStep], always: ScenarioStep) { state = Mutex((steps, always)) }

  /// The step for the next request.
  /// - Parameter model: what it asks for, where its address says so.
  func next(model: String?) -> ScenarioStep {
    func isMet(_ step: ScenarioStep) -> Bool { step.model == nil || step.model == model }
    return state.withLock { state in
      if let index = state.steps.firstIndex(where: isMet) { return state.steps.remove(at: index) }
      return isMet(state.always) ? state.always : .success
    }
  }

  /// The step for the next request of one kind, which only steps that name it are for.
  func next(only name: String) -> ScenarioStep {
    state.withLock { state in
      if let index = state.steps.firstIndex(where: { $0.model == name }) { return state.steps.remove(at: index) }
      return state.always.model == name ? state.always : .success
    }
  }

  func append(_ steps: [ScenarioStep]) { state.withLock { $0.steps += steps } }
  func replace(steps: [ScenarioStep]) { state.withLock { $0.steps = steps } }
  func setAlways(_ step: ScenarioStep) { state.withLock { $0.always = step } }
}
