import JSON

/// What hosts were told before their services died, held against what the store says afterwards: whatever was
/// acknowledged is never lost.
struct KillLedger {
  /// The states a generation may be in, by its id; nil for one that is to be gone.
  private var states: [String: Set<String?>] = [:]
  private var digests: [String: [String]] = [:]
  private var prepared: Set<String> = []
  /// The generation each idempotency key stands for.
  private var keys: [String: String] = [:]
  /// How every generation of the store ended, when it was last looked at.
  private(set) var ends: [String: String] = [:]
  /// How many answers were held against the store.
  private(set) var acknowledged = 0

  /// Takes note of everything a host was told.
  /// - Returns: what cannot be true at the same time.
  mutating func note(_ host: KilledHost) -> [String] {
    var findings: [String] = []
    for message in host.told {
      if message["method"] == "generation/finished", let params = message["params"] {
        expect(params["generationId"]?.string, in: [params["state"]?.string])
        note(images: params["result"], of: params["generationId"]?.string)
      }
      guard message["method"] == nil, let id = message["id"]?.int64, let step = host.asked[id] else { continue }
      acknowledged += 1
      if let result = message["result"] { findings += note(result: result, of: step) }
      if let error = message["error"] { findings += note(error: error, of: step) }
    }
    // Asked and not answered: it may be gone or not.
    for case let step in host.asked.values where step.method == "history/delete" {
      guard let id = step.params["generationId"]?.string, states[id] != [nil] else { continue }
      states[id]?.insert(nil)
    }
    return findings
  }

  private mutating func note(result: JSONValue, of step: KillPlan.Step) -> [String] {
    let id = result["generationId"]?.string
    switch step.method {
    case "generate":
      if let state = result["state"]?.string, state != "queued", state != "running" {
        expect(id, in: [state])
        note(images: result, of: id)
      } else {
        expect(id, in: ["succeeded", "cancelled", "interrupted", "failed"])
      }
      guard let id, let key = step.params["idempotencyKey"]?.string else { return [] }
      defer { keys[key] = id }
      return keys[key] == nil || keys[key] == id ? [] : ["the key \(key) stands for \(id) and \(keys[key] ?? "")"]
    case "cancel": expect(id, in: ["cancelled"])
    case "history/delete":
      if let id = step.params["generationId"]?.string { states[id] = [nil] }
    case "image/prepare":
      if let id = result["preparedId"]?.string { prepared.insert(id) }
    default: break
    }
    return []
  }

  private mutating func note(error: JSONValue, of step: KillPlan.Step) -> [String] {
    let kind = error["data"]?["kind"]?.string
    // What is not there, or not any more; what another host began whose service died; a slow machine's deadline.
    let harmless: Set<String?> = ["not_found", "already_finished", "interrupted", "timed_out"]
    if step.method == "generate", kind != "not_found" {
      expect(error["data"]?["generationId"]?.string, in: ["failed", "interrupted"])
    }
    if harmless.contains(kind) { return [] }
    return ["\(step.method) \(JSONValue.object(step.params).text) was answered \(error.text)"]
  }

  private mutating func expect(_ id: String?, in expected: Set<String?>) {
    guard let id, states[id] != [nil] else { return }
    let known = states[id]
    let mayBeGone = known?.contains(nil) == true
    let both = known?.intersection(expected) ?? expected
    // Told twice with different words: the empty set is what no store can agree with.
    states[id] = mayBeGone ? both.union([nil]) : both
  }

  private mutating func note(images result: JSONValue?, of id: String?) {
    guard let id, let images = result?["images"]?.array, !images.isEmpty else { return }
    digests[id] = images.compactMap { $0["sha256"]?.string }
  }

  /// Holds everything told so far against the store.
  /// - Returns: a sentence for all that was told and is not so.
  mutating func compare(with audit: DataDirectoryAudit) throws -> [String] {
    let now = try audit.states()
    var findings: [String] = []
    // One that its process gave back or left queued goes on later.
    for (id, allowed) in states
    where !allowed.contains(now[id]) && !(now[id] == "queued" && allowed.contains("interrupted")) {
      findings.append("\(id) is \(now[id] ?? "gone") where hosts were told \(allowed.map { $0 ?? "gone" })")
    }
    for (id, told) in digests where now[id] != nil {
      if try audit.digests(of: id) != told { findings.append("\(id) has other images than its host was told") }
    }
    let kept = try audit.preparedIDs()
    findings += prepared.subtracting(kept).map { "the prepared image \($0) is gone" }
    // What is queued goes on in another process, or is interrupted with it.
    for (id, state) in ends where state != "queued" && now[id] != nil && now[id] != state {
      findings.append("\(id) ended as \(state) and is \(now[id] ?? "") now")
    }
    ends = now
    return findings
  }

  /// Generations that ended well, in a fixed order.
  var succeeded: [String] { ends.filter { $0.value == "succeeded" }.keys.sorted() }
}
