/// How one request is answered, in full.
struct Reply: Sendable {
  var plan: [PlanStep]
  /// Whether the connection serves further requests after the plan.
  var keepsAlive = true
  var status: Int?
  var fault: String?
  var facts: RequestFacts?
  var model: String?
}
