/// A queue of turns: one holder, the others wait in order of arrival. A plain value; its actor resumes them.
struct TurnQueue<Waiter> {
  typealias Ticket = UInt64

  private var isTaken = false
  private var waiting: [(ticket: Ticket, waiter: Waiter)] = []
  private var nextTicket: Ticket = 0

  mutating func drawTicket() -> Ticket {
    nextTicket += 1
    return nextTicket
  }

  /// Takes the turn if it is free.
  mutating func takeIfFree() -> Bool {
    guard !isTaken else { return false }
    isTaken = true
    return true
  }

  mutating func wait(_ waiter: Waiter, ticket: Ticket) {
    waiting.append((ticket, waiter))
  }

  /// Leaves the queue.
  /// - Returns: nil when the ticket's turn had already come.
  mutating func leave(_ ticket: Ticket) -> Waiter? {
    guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
    return waiting.remove(at: index).waiter
  }

  /// Ends the current turn.
  /// - Returns: the waiter that has the next turn.
  mutating func pass() -> Waiter? {
    guard !waiting.isEmpty else {
      isTaken = false
      return nil
    }
    return waiting.removeFirst().waiter
  }
}
