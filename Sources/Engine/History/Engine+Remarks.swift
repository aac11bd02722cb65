import AtelierProtocol
import Store

extension Engine {
  /// Keeps what a person thought of a result.
  /// - Throws: `not_found`, `not_finished`, `permission_denied`.
  public func keepFeedback(_ request: FeedbackSubmit, for caller: Caller) async throws -> FeedbackSubmit.Result {
    let account = try caller.visibleAccount(naming: request.account)
    let feedback = try await sessions.openStore().keepFeedback(
      rating: request.rating, text: request.text, of: request.generationId, account: account)
    return FeedbackSubmit.Result(generationId: request.generationId, feedback: feedback)
  }

  /// Notes at a generation what a host wants to find again.
  /// - Throws: `not_found`, `not_finished`, `permission_denied`.
  public func annotate(_ request: HistoryAnnotate, for caller: Caller) async throws -> History.Entry {
    let account = try caller.visibleAccount(naming: request.account)
    return try await sessions.openStore().annotate(
      request.generationId, metadata: request.metadata, isFavourite: request.favourite, account: account
    ).entry(at: surroundings.now())
  }
}
