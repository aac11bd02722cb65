import AtelierProtocol

/// What a command that makes pictures says at its end: paths or JSON on standard output, the rest on standard error.
struct PictureReport {
  let outcomes: [PictureOutcome]
  let isJSON: Bool
  let now: @Sendable () -> Timestamp

  /// - Throws: `CommandFailure` unless every picture was made and written.
  func print() throws {
    for outcome in outcomes {
      for notice in outcome.notices + outcome.remarks { tell(notice, of: outcome) }
      if isJSON {
        try printJSON(outcome)
      } else {
        for path in outcome.paths { atelier.print(path) }
      }
    }
    if outcomes.count == 1, let only = outcomes.first { return try end(of: only) }
    for line in failures { Console.error("atelier: \(line.onOneLine)\n") }
    guard outcomes.allSatisfy(\.isMade) else {
      throw CommandFailure(sentence: summary, isCancelled: outcomes.contains(where: \.isCancelled))
    }
    Console.error("atelier: \(summary)\n")
  }

  private func end(of outcome: PictureOutcome) throws {
    if outcome.isCancelled { throw CommandFailure(sentence: "Cancelled.", isCancelled: true) }
    if let error = outcome.error { throw CommandFailure(error) }
    guard !outcome.isMade, let generation = outcome.generation else { return }
    throw CommandFailure(
      sentence: "\(generation.images.count) of \(outcome.job.request.pictureCount) pictures were made.")
  }

  private func tell(_ sentence: String, of outcome: PictureOutcome) {
    let name = outcomes.count > 1 ? outcome.job.name.map { "\($0): " } ?? "" : ""
    Console.error("atelier: \((name + sentence).onOneLine)\n")
  }

  private func printJSON(_ outcome: PictureOutcome) throws {
    if let generation = outcome.generation {
      try Console.printJSON(generation)
    } else {
      let error = outcome.error ?? AtelierError(.interrupted, "Cancelled before it began.")
      try Console.printJSON(Refusal(error: error.body(at: now())))
    }
  }

  /// A request that did not become a generation.
  private struct Refusal: Encodable {
    var error: ErrorBody
  }

  /// Each reason once, with the names of the photos that it concerns.
  private var failures: [String] {
    var reasons: [String] = []
    var names: [String: [String]] = [:]
    for outcome in outcomes {
      guard let reason = outcome.error?.message else { continue }
      if names[reason] == nil { reasons.append(reason) }
      names[reason, default: []].append(outcome.job.name ?? "")
    }
    return reasons.map { reason in
      let all = names[reason] ?? []
      let more = all.count > Self.mostNames ? " and \(all.count - Self.mostNames) more" : ""
      return "\(all.prefix(Self.mostNames).joined(separator: ", "))\(more): \(reason)"
    }
  }

  private static let mostNames = 3

  private var summary: String {
    let made = outcomes.count(where: \.isMade)
    let cancelled = outcomes.count(where: \.isCancelled)
    let failed = outcomes.count - made - cancelled
    var parts = ["\(made) of \(outcomes.count) made"]
    if failed > 0 { parts.append("\(failed) failed") }
    if cancelled > 0 { parts.append("\(cancelled) cancelled") }
    let usd = outcomes.compactMap(\.generation?.usage.costUsd).reduce(0, +)
    let credits = outcomes.compactMap(\.generation?.credits.charged).reduce(0, +)
    let costs = [usd > 0 ? "about \(Dollars(usd))" : nil, credits > 0 ? credits.credits : nil].compactMap { $0 }
    return parts.joined(separator: ", ") + "." + (costs.isEmpty ? "" : " Cost: \(costs.joined(separator: ", ")).")
  }
}

extension PictureOutcome {
  /// What the result itself says: its warnings, and why some of its pictures are missing.
  fileprivate var remarks: [String] {
    guard let generation else { return [] }
    return generation.warnings.map(\.message)
      + generation.failures.map { "Picture \($0.view ?? "\($0.index + 1)") could not be made: \($0.error.message)" }
  }
}
