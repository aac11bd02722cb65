import POSIX
import Synchronization

/// The questions that a legacy client has not answered yet, one for all calls with the same digest.
final class OpenQuestions: Sendable {
  struct Question: Sendable {
    let number: CallNumber
    let verdict = Promise<CostConfirmation.Verdict>()
    fileprivate var asking: Task<Void, Never>?
    /// How many calls wait for the answer.
    fileprivate var calls = 0
  }

  private let questions = Mutex<[CallDigest: Question]>([:])

  /// The question that the call waits for from here on.
  /// - Parameter ask: puts it, if there is none yet.
  func join(
    _ digest: CallDigest, _ number: CallNumber, ask: @escaping @Sendable () async -> CostConfirmation.Verdict
  ) -> Question {
    questions.withLock { questions in
      var question = questions[digest] ?? Question(number: number)
      if question.asking == nil {
        // In a task of its own: it outlives the call that put it.
        question.asking = Task { [verdict = question.verdict] in verdict.fulfil(await ask()) }
      }
      question.calls += 1
      questions[digest] = question
      return question
    }
  }

  /// The call does not wait any more. What nobody waits for is withdrawn.
  func leave(_ digest: CallDigest) {
    let unwanted: Task<Void, Never>? = questions.withLock { questions in
      questions[digest]?.calls -= 1
      guard let question = questions[digest], question.calls == 0 else { return nil }
      questions[digest] = nil
      return question.asking
    }
    unwanted?.cancel()
  }
}
