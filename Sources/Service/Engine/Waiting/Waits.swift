import AtelierProtocol

/// The callers that wait for ends, by the numbers under which ``LiveTable`` knows them. An answer that comes before its
/// caller begins to wait is kept for it.
struct Waits {
  private enum Wait {
    case expected
    case waiting(CheckedContinuation<Answer?, Never>)
    case answered(Answer?)
  }

  private var waits: [Int: Wait] = [:]
  private var lastNumber = 0

  /// A number for a caller that is going to wait.
  mutating func expect() -> Int {
    lastNumber += 1
    waits[lastNumber] = .expected
    return lastNumber
  }

  /// The caller waits from now on.
  mutating func wait(_ number: Int, _ continuation: CheckedContinuation<Answer?, Never>) {
    guard case .answered(let answer) = waits[number] else { return waits[number] = .waiting(continuation) }
    waits[number] = nil
    continuation.resume(returning: answer)
  }

  /// - Parameter answer: nil when the wait is given up.
  mutating func answer(_ number: Int, with answer: Answer?) {
    switch waits[number] {
    case .expected: waits[number] = .answered(answer)
    case .waiting(let continuation):
      waits[number] = nil
      continuation.resume(returning: answer)
    case .answered, nil: break
    }
  }

  /// The caller does not wait after all.
  mutating func forget(_ number: Int) {
    answer(number, with: nil)
    waits[number] = nil
  }
}
