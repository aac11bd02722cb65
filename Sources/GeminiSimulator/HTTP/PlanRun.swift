/// The plan of one answer while it is carried out.
struct PlanRun {
  let request: ReceivedRequest
  let reply: Reply
  private var position = 0
  /// Whether a byte of the answer has been sent.
  var hasBegun = false
  /// Whether a test must release it.
  var isHeld = false
  /// Gives up waiting for time to pass.
  var pause: (() -> Void)?
  var bytesSent = 0

  init(request: ReceivedRequest, reply: Reply) {
    self.request = request
    self.reply = reply
  }

  mutating func next() -> PlanStep? {
    guard position < reply.plan.count else { return nil }
    defer { position += 1 }
    return reply.plan[position]
  }
}
