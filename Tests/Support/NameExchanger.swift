import Glibc
import POSIX
import Synchronization
import SystemCalls

/// Exchanges the files behind two names, again and again, for as long as this lives. At every moment both are there.
public final class NameExchanger: Sendable {
  private let isOver = Atomic(false)

  public init(_ first: String, _ second: String) throws {
    try DedicatedThread.start { [weak self] in
      while let self, !isOver.load(ordering: .relaxed) { _ = system_calls_exchange(first, second) }
    }
  }

  public func stop() { isOver.store(true, ordering: .relaxed) }
}
