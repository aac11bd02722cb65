import AtelierProtocol

extension SessionManager {
  /// Makes an end durable, then answers.
  func record(_ ending: Ending) {
    guard ending.isBrief else {
      // It may have files to write, which nobody else is to wait for.
      Task { @concurrent [door] in await self.conclude([ending], with: [await ending.carryOut(door: door)]) }
      return
    }
    briefEndings.append(ending)
    if !isRecording {
      isRecording = true
      // Somebody waits for it, and much else may want its turn.
      Task(priority: .high) { await self.recordBriefEndings() }
    }
  }

  /// Those that come while some are written are written together: who cancels hundreds waits for few transactions.
  private func recordBriefEndings() async {
    while !briefEndings.isEmpty {
      let endings = Array(briefEndings.prefix(Self.mostTogether))
      briefEndings.removeFirst(endings.count)
      await conclude(endings, with: Ending.carryOut(endings, door: door))
    }
    isRecording = false
  }

  private func conclude(_ endings: [Ending], with outcomes: [Ending.Outcome]) async {
    var accounts: Set<AccountID> = []
    for (ending, outcome) in zip(endings, outcomes) where ending.row.credits != nil && outcome.unrecorded == nil {
      // Before the answer, which may make somebody look.
      if accounts.insert(ending.row.account).inserted { await herald.creditsChanged(of: ending.row.account) }
    }
    for (ending, outcome) in zip(endings, outcomes) { conclude(ending.work.id, with: outcome) }
    startWaiting()
  }

  /// The most ends in one transaction: other processes wait for as long as it takes.
  private static let mostTogether = 128
}
