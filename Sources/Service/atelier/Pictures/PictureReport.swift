import AtelierProtocol
import POSIX

/// What a command that makes pictures says of each as it comes, and at its end: paths or JSON on standard output, the rest
/// on standard error.
struct PictureReport: Sendable {
  let isJSON: Bool
  /// Whether the generations are counted, rather than the only one explained.
  let isSeveral: Bool
  /// Whether what fails is told at once, because the end may be far away.
  let isEndless: Bool
  let display: ProgressDisplay
  let now: @Sendable () -> Timestamp

  private(set) var outcomes: [PictureOutcome] = []
  /// What was said before the last generations began.
  var lastNotice: BatchNotice?
  /// Ended generations whose JSON waits for that of those before them, by position.
  private var waiting: [Int: PictureOutcome] = [:]
  private var nextPosition = 0
  /// Why photos had no picture, as far as it was told.
  private var toldReasons: Set<String> = []

  init(
    isJSON: Bool, isSeveral: Bool, isEndless: Bool, display: ProgressDisplay, now: @escaping @Sendable () -> Timestamp
  ) {
    (self.isJSON, self.isSeveral, self.isEndless) = (isJSON, isSeveral, isEndless)
    (self.display, self.now) = (display, now)
  }

  /// Tells what became of a generation.
  mutating func add(_ outcome: PictureOutcome) {
    outcomes.append(outcome)
    for notice in outcome.notices + outcome.remarks(amongSeveral: isSeveral) { display.tell(named(notice, of: outcome)) }
    if isSeveral, let error = outcome.error { tell(error, of: outcome) }
    guard isJSON else { return show { for path in outcome.paths { atelier.print(path) } } }
    waiting[outcome.job.position] = outcome
    while let next = waiting.removeValue(forKey: nextPosition) {
      nextPosition += 1
      show { printJSON(next) }
    }
  }

  /// Tells the end.
  /// - Parameters:
  ///   - supply: what was found in folders, besides the photos.
  ///   - signal: the number of the signal that ended the work; nil when it ended by itself.
  /// - Throws: `CommandFailure` unless every picture was made and written.
  func end(_ supply: PhotoSupply, signal: Int32?) throws {
    for sentence in supply.remarks { display.tell(sentence) }
    if !isSeveral, outcomes.count == 1, let only = outcomes.first { return try end(of: only, signal: signal) }
    for line in failures { display.tellFailure(line) }
    guard outcomes.allSatisfy(\.isMade), signal == nil else {
      // Without a signal, another process has cancelled it.
      let sentence = outcomes.isEmpty ? "Nothing was made." : summary
      let goesOn = signal != nil && !isEndless && outcomes.allSatisfy(\.isFoundAgain)
      let advice = goesOn ? " The same command goes on with the rest." : ""
      throw CommandFailure(sentence: sentence + advice, status: signal.map { 128 + $0 } ?? 1)
    }
    if !outcomes.isEmpty { return display.tell(summary) }
    if supply.skipped == 0, supply.hasFolders { throw CommandFailure(sentence: "There are no photos there.") }
  }

  private func end(of outcome: PictureOutcome, signal: Int32?) throws {
    if outcome.isCancelled {
      throw CommandFailure(sentence: "Cancelled.", status: signal.map { 128 + $0 } ?? 1)
    }
    if let error = outcome.error { throw CommandFailure(error) }
    guard !outcome.isMade, let generation = outcome.generation else { return }
    throw CommandFailure(
      sentence: "\(generation.images.count) of \(outcome.job.request.pictureCount) pictures were made.")
  }

  private func named(_ sentence: String, of outcome: PictureOutcome) -> String {
    (isSeveral ? outcome.job.name.map { "\($0): " } ?? "" : "") + sentence
  }

  /// Prints for a reader that goes on with it at once.
  private func show(_ print: () -> Void) {
    display.above {
      print()
      StandardOutput.shared.flush()
    }
  }

  private func printJSON(_ outcome: PictureOutcome) {
    do {
      if let generation = outcome.generation {
        try Console.printJSON(generation)
      } else {
        let error = outcome.error ?? AtelierError(.interrupted, "Cancelled before it began.")
        try Console.printJSON(Refusal(error: error.body(at: now())))
      }
    } catch {
      Console.tell(CommandFailure(error).sentence)
    }
  }

  /// A request that did not become a generation.
  private struct Refusal: Encodable {
    var error: ErrorBody
  }

  /// Tells why a photo of several has no picture, at once: the end may be far away. Of photos that fail for the same
  /// reason, only the first is told before the end, unless there is no end.
  private mutating func tell(_ error: AtelierError, of outcome: PictureOutcome) {
    let reason = CommandWords.sentence(of: error)
    let isFirst = toldReasons.insert(reason).inserted
    if isEndless || isFirst { display.tellFailure(named(reason, of: outcome)) }
  }

  /// Each reason that several photos had once, with their names.
  private var failures: [String] {
    if isEndless { return [] }
    var reasons: [String] = []
    var names: [String: [String]] = [:]
    for outcome in outcomes.sorted(by: { $0.job.position < $1.job.position }) {
      guard let reason = outcome.error.map(CommandWords.sentence(of:)) else { continue }
      if names[reason] == nil { reasons.append(reason) }
      names[reason, default: []].append(outcome.job.name ?? "")
    }
    return reasons.compactMap { reason in
      let names = names[reason] ?? []
      return names.count > 1 ? "\(SomeNames(names)): \(reason)" : nil
    }
  }

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
  fileprivate func remarks(amongSeveral: Bool) -> [String] {
    guard let generation else { return [] }
    return generation.warnings.map(CommandWords.sentence(of:)) + passportRemarks(amongSeveral: amongSeveral)
      + generation.failures.map { failure in
        let name = failure.view ?? "\(failure.index + 1)"
        return "Picture \(name) could not be made: \(CommandWords.sentence(of: failure.error))"
      }
  }
}

extension PictureOutcome {
  /// A rule that is met leaves no warning, and not every rule can be measured: the person has to know both.
  private func passportRemarks(amongSeveral: Bool) -> [String] {
    guard job.request.output?.crop == .passport, isMade else { return [] }
    let isMet = generation?.warnings.contains { $0.kind == "passport_rule" } == false
    let met = isMet ? ["every rule that is measured is met."] : []
    let unmeasured = "Not measured are glasses, head coverings, shadows, sharpness and where the eyes look."
    let remarks = amongSeveral ? met : met + [unmeasured]
    return remarks.isEmpty ? [] : ["For a passport: " + remarks.joined(separator: " ")]
  }

  /// Whether the same command finds it again in history.
  fileprivate var isFoundAgain: Bool { job.request.cache != .bypass && job.request.private != true }
}

/// The first of some names, and how many there are besides.
struct SomeNames: CustomStringConvertible {
  let description: String

  private static let most = 3

  init(_ names: [String]) {
    let more = names.count > Self.most ? " and \(names.count - Self.most) more" : ""
    description = names.prefix(Self.most).joined(separator: ", ") + more
  }
}

extension PhotoSupply {
  /// What the person should know of photos that were left out.
  fileprivate var remarks: [String] {
    var remarks: [String] = []
    if skipped > 0 {
      remarks.append("\(skipped) left out: \(skipped == 1 ? "its picture is" : "their pictures are") there.")
    }
    if !others.isEmpty {
      let which = others.count == 1 ? "1 file is no picture" : "\(others.count) files are no pictures"
      remarks.append("\(which): \(SomeNames(others.map { OutputName($0).name })).")
    }
    if !subfolders.isEmpty {
      let which = subfolders.count == 1 ? "1 folder was" : "\(subfolders.count) folders were"
      let names = SomeNames(subfolders.map { OutputName($0).name })
      remarks.append("\(which) left out: \(names). --recursive goes through them.")
    }
    if unreadableNames > 0 {
      remarks.append(
        "\(unreadableNames == 1 ? "1 file has a name" : "\(unreadableNames) files have names") that "
          + "\(unreadableNames == 1 ? "is" : "are") not UTF-8 text and cannot be read: rename them, as with convmv.")
    }
    return remarks
  }
}
