import Synchronization

/// Gives values of which no two are equal: ids, amounts and times of a test that stand for different things. Code that takes
/// one for another is then found out.
public final class Distinct: Sendable {
  private let last = Mutex(100)

  public init() {}

  /// A number that no other call gives.
  public func number() -> Int {
    last.withLock { last in
      // No number is the sum or the difference of two neighbours.
      last += last % 7 + 3
      return last
    }
  }

  /// An id, whose digits nothing else has.
  public func id(_ prefix: String = "") -> String { "\(prefix)\(number())" }
}
