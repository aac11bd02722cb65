import AtelierProtocol
import Engine

/// That the person was told who makes something and what it costs, and has not said no. A command makes nothing without it.
struct CostAgreement: Sendable {
  private init() {}

  /// Says what is about to be done unless that was just said, and asks before it costs something.
  /// - Parameter yes: whether the person has agreed already, with `--yes`.
  /// - Throws: `CommandFailure` when the person does not agree; `CancellationError` when the task is cancelled meanwhile.
  static func obtain(
    for notice: BatchNotice, isNews: Bool = true, yes: Bool, on display: ProgressDisplay
  ) async throws -> CostAgreement {
    guard notice.costs, !yes, let terminal = AskingTerminal.current, let last = notice.sentences.last else {
      if isNews { for sentence in notice.sentences { display.tell(sentence) } }
      return CostAgreement()
    }
    // Where standard error leads elsewhere, the person sees the question only.
    let question = terminal.isStandardError ? last : notice.sentences.joined(separator: " ")
    for sentence in notice.sentences.dropLast() { display.tell(sentence) }
    display.above {}
    try await Confirmation.ask("atelier: \(question) Go on?", yes: false)
    return CostAgreement()
  }
}

extension Engine {
  /// Makes a generation that the person has agreed to.
  func make(_ request: Generate, for caller: Caller, with agreement: CostAgreement) async throws -> Generation {
    try await generations.generate(request, for: caller)
  }
}
