import AtelierProtocol
import Store

/// The generations of this process that wait for their provider, as a value: fed with how the queue stands, it tells
/// what is to be done.
struct WaitingRoom: Sendable {
  /// What the standing of the queue calls for, in this order.
  enum Step: Sendable, Equatable {
    /// Something has waited too long.
    case expire
    /// Others wait elsewhere: one of their processes may be gone.
    case recover
    /// It is time to look for a provider.
    case probe(ProviderID)
    /// These may begin, in this order.
    case begin([GenerationID])
  }

  private var guests: Set<GenerationID> = []
  /// Where each stood when it was last looked at.
  private var positions: [GenerationID: Int] = [:]
  private(set) var standing = QueueStanding()

  /// Whether nothing is known to wait, here or in another process.
  var isQuiet: Bool { guests.isEmpty && standing.isEmpty }

  func contains(_ id: GenerationID) -> Bool { guests.contains(id) }

  var all: Set<GenerationID> { guests }

  mutating func enter(_ id: GenerationID) { guests.insert(id) }

  mutating func leave(_ id: GenerationID) { guests.remove(id) }

  /// 1 for the first in the line for its provider; nil when it does not wait, or came after the last look.
  func position(of id: GenerationID) -> Int? { guests.contains(id) ? positions[id] : nil }

  func knowsOutage(of provider: ProviderID) -> Bool { standing.outages[provider] != nil }

  /// Milliseconds until a provider is looked for, or wants to be asked, again.
  func pauseMs(for provider: ProviderID, from now: Timestamp) -> Int64 {
    let ends = [standing.outages[provider]?.nextProbe, standing.cooldowns[provider]].compactMap { $0?.milliseconds }
    return max(0, (ends.max() ?? 0) - now.milliseconds)
  }

  /// Takes in how the queue stands now, for those who ask.
  mutating func note(_ standing: QueueStanding) {
    self.standing = standing
    positions = Dictionary(standing.own.map { ($0.id, $0.position) }, uniquingKeysWith: { first, _ in first })
  }

  /// Takes in how the queue stands now. Those that may begin leave the room.
  /// - Parameter probing: the providers this process is looking for already.
  mutating func take(_ standing: QueueStanding, at now: Timestamp, probing: Set<ProviderID>) -> [Step] {
    note(standing)
    var steps: [Step] = []
    if let deadline = standing.nextDeadline, deadline <= now { steps.append(.expire) }
    if standing.othersWait { steps.append(.recover) }
    if standing.isPaused { return steps }
    for provider in standing.waiting.keys.sorted() {
      if let outage = standing.outages[provider] {
        if outage.nextProbe <= now, !probing.contains(provider) { steps.append(.probe(provider)) }
      } else if standing.cooldowns[provider].map({ $0 <= now }) ?? true {
        let ready = standing.own.filter {
          $0.provider == provider && guests.contains($0.id) && !standing.holdsBack($0.account)
        }
        if !ready.isEmpty { steps.append(.begin(ready.map(\.id))) }
        guests.subtract(ready.map(\.id))
      }
    }
    return steps
  }
}
