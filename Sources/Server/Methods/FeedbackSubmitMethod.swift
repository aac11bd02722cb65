import AtelierProtocol
import Engine

/// `feedback/submit`: keeps what a person thought of a result.
enum FeedbackSubmitMethod: Method {
  static func answer(
    _ message: FeedbackSubmit, for caller: Caller, by engine: Engine
  ) async throws -> FeedbackSubmit.Result {
    try await engine.keepFeedback(message, for: caller)
  }
}
