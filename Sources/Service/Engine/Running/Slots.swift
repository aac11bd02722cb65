import AtelierProtocol

/// The slots of each provider, as a value: how many pictures it works on at a time, and which generations wait for a
/// slot, in order of arrival.
///
/// Entering, leaving and asking for a position take constant or logarithmic time, however many wait. A full provider
/// does not hold up the others. A generation that needs several slots is not overtaken by those that need fewer.
struct Slots: Sendable {
  private struct Entry {
    var provider: ProviderID
    var units: Int
    /// Nil for an entry that holds its slots.
    var ticket: Int?
  }

  private struct Line {
    var capacity: Int
    var used = 0
    /// The waiting entries, by rising ticket, from `first` on.
    var waiting: [(ticket: Int, id: GenerationID)] = []
    var first = 0

    var isEmpty: Bool { first == waiting.count }

    /// The index of a ticket in `waiting`, or its insertion point.
    func index(of ticket: Int) -> Int {
      var (low, high) = (first, waiting.count)
      while low < high {
        let middle = (low + high) / 2
        if waiting[middle].ticket < ticket { low = middle + 1 } else { high = middle }
      }
      return low
    }

    mutating func dropFirst() {
      first += 1
      // Moving the rest costs as much as the removals since the last move.
      if first * 2 > waiting.count {
        waiting.removeFirst(first)
        first = 0
      }
    }
  }

  private var entries: [GenerationID: Entry] = [:]
  private var lines: [ProviderID: Line] = [:]
  private var lastTicket = 0

  /// Takes `units` slots of a provider, or waits for them.
  /// - Parameter capacity: how many slots the provider has.
  /// - Returns: whether the slots are held now.
  mutating func enter(_ id: GenerationID, provider: ProviderID, units: Int, capacity: Int) -> Bool {
    var line = lines[provider] ?? Line(capacity: max(1, capacity))
    // A request for more slots than exist gets all of them when no other generation holds any.
    let units = min(max(1, units), line.capacity)
    defer { lines[provider] = line }
    if line.isEmpty, line.used + units <= line.capacity {
      line.used += units
      entries[id] = Entry(provider: provider, units: units, ticket: nil)
      return true
    }
    lastTicket += 1
    line.waiting.append((lastTicket, id))
    entries[id] = Entry(provider: provider, units: units, ticket: lastTicket)
    return false
  }

  /// Gives back the slots of a generation, or its place in the waiting line.
  /// - Returns: the generations that hold their slots from now on, in order.
  mutating func leave(_ id: GenerationID) -> [GenerationID] {
    guard let entry = entries.removeValue(forKey: id) else { return [] }
    if let ticket = entry.ticket {
      guard let line = lines[entry.provider] else { return [] }
      lines[entry.provider]?.waiting.remove(at: line.index(of: ticket))
    } else {
      lines[entry.provider]?.used -= entry.units
    }
    return admit(to: entry.provider)
  }

  /// Takes one slot of a provider for a generation still to be claimed, if one is free and no other generation waits
  /// for it.
  mutating func reserve(of provider: ProviderID, capacity: Int) -> Bool {
    var line = lines[provider] ?? Line(capacity: max(1, capacity))
    guard line.isEmpty, line.used < line.capacity else { return false }
    line.used += 1
    lines[provider] = line
    return true
  }

  /// Gives a reserved slot to a generation, with as many more as it needs, even beyond the capacity.
  mutating func useReservation(for id: GenerationID, provider: ProviderID, units: Int) {
    let units = max(1, units)
    lines[provider]?.used += units - 1
    entries[id] = Entry(provider: provider, units: units, ticket: nil)
  }

  /// Gives back a reserved slot.
  /// - Returns: as ``leave(_:)``.
  mutating func dropReservation(of provider: ProviderID) -> [GenerationID] {
    lines[provider]?.used -= 1
    return admit(to: provider)
  }

  /// 1 for the next to get a slot; nil when the generation does not wait for one.
  func position(of id: GenerationID) -> Int? {
    guard let entry = entries[id], let ticket = entry.ticket, let line = lines[entry.provider] else { return nil }
    return line.index(of: ticket) - line.first + 1
  }

  private mutating func admit(to provider: ProviderID) -> [GenerationID] {
    guard var line = lines[provider] else { return [] }
    var admitted: [GenerationID] = []
    while !line.isEmpty {
      let next = line.waiting[line.first].id
      guard let units = entries[next]?.units, line.used + units <= line.capacity else { break }
      line.used += units
      entries[next]?.ticket = nil
      admitted.append(next)
      line.dropFirst()
    }
    lines[provider] = line
    return admitted
  }
}
