/// The answer to a request for pictures, before it is decided how it travels.
struct GeneratedAnswer: Sendable {
  var answer: HTTPAnswer
  /// What the request says, as far as it was understood.
  var facts: RequestFacts?
  /// The step with what the prompt adds to it.
  var step: ScenarioStep
  /// False for a request that was refused: it meets no fault and no latency.
  var isAccepted = true
}
