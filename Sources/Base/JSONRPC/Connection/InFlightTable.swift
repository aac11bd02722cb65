/// The requests that are not answered yet, as a value type. The caller performs what the methods return.
///
/// Invariants: an id is in flight at most once; at most `maximum` non-urgent requests are in flight; each admitted
/// request leaves exactly once, through ``finish(_:)``.
struct InFlightTable<Work: Sendable>: Sendable {
  enum Admission: Equatable {
    case admitted
    /// The id is in use.
    case duplicate
    /// The maximum number of requests is in flight.
    case full
  }

  private struct Entry {
    var isUrgent: Bool
    var isCancelled = false
    /// Whether the peer no longer wants an answer.
    var isWithdrawn = false
    var work: Work?
  }

  private let maximum: Int
  /// Urgent requests are short by nature; this limit only keeps a flood of them from filling the memory.
  private let maximumUrgent: Int
  private var entries: [RequestID: Entry] = [:]
  private var urgentCount = 0

  init(maximum: Int) {
    self.maximum = maximum
    maximumUrgent = 8 * min(max(maximum, 1), 1 << 40)
  }

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }
  /// The ids of requests that still need an answer.
  var unansweredIDs: [RequestID] { Array(entries.keys) }

  func contains(_ id: RequestID) -> Bool { !entries.isEmpty && entries[id] != nil }

  /// Whether a request is in flight and its peer wants the answer.
  func awaitsAnswer(_ id: RequestID) -> Bool { entries[id]?.isWithdrawn == false }

  /// Adds a request.
  mutating func admit(_ id: RequestID, isUrgent: Bool) -> Admission {
    if contains(id) { return .duplicate }
    if isUrgent ? urgentCount >= maximumUrgent : entries.count - urgentCount >= maximum { return .full }
    entries[id] = Entry(isUrgent: isUrgent)
    if isUrgent { urgentCount += 1 }
    return .admitted
  }

  /// Stores the work to cancel when the request is cancelled; ignored if the request is already answered.
  /// - Returns: the work, if it must be cancelled at once because the cancellation came first.
  mutating func attach(_ work: Work, to id: RequestID) -> Work? {
    guard var entry = entries[id] else { return nil }
    entry.work = work
    entries[id] = entry
    return entry.isCancelled ? work : nil
  }

  /// - Returns: the work to cancel; nil when there is no such request or it is already cancelled.
  mutating func cancel(_ id: RequestID) -> Work? {
    guard var entry = entries[id], !entry.isCancelled else { return nil }
    entry.isCancelled = true
    entries[id] = entry
    return entry.work
  }

  /// Cancels a request that its peer no longer wants answered; it stays in flight until its work ends.
  /// - Returns: the work to cancel, as ``cancel(_:)``.
  mutating func withdraw(_ id: RequestID) -> Work? {
    entries[id]?.isWithdrawn = true
    return cancel(id)
  }

  /// - Returns: all work to cancel, each item once.
  mutating func cancelAll() -> [Work] {
    // Not inside `compactMap`, which would read the dictionary while `cancel` changes it.
    let ids = Array(entries.keys)
    return ids.compactMap { cancel($0) }
  }

  /// Removes a request that has its answer.
  /// - Returns: false when the answer must not be sent: the request is already answered, or withdrawn.
  mutating func finish(_ id: RequestID) -> Bool {
    guard let entry = entries.removeValue(forKey: id) else { return false }
    if entry.isUrgent { urgentCount -= 1 }
    return !entry.isWithdrawn
  }
}
