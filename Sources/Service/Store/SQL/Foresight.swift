/// What a change reads first, said before it is made, so that an engine that is far away asks for many changes together.
struct Foresight: Sendable {
  /// The names of what its decision rests on and what it changes: of two changes that name nothing in common, neither
  /// reads what the other one writes, except what a session is told of by ``SQLSession/note(_:to:)``.
  var subjects: Set<String>
  /// What it reads, as it will ask for it itself.
  var queries: @Sendable () throws -> [SQLQuery]
}

/// A change whose reading is foreseen.
struct ForeseenChange<Value> {
  var foresight: Foresight
  /// Makes the change.
  var work: (any SQLSession) throws -> Value
}

extension Foresight {
  /// The parts of a list of changes, in order, in each of which one may ask for all.
  static func parts(of changes: [QueuedWrite.Change]) -> [[QueuedWrite.Change]] {
    var parts: [[QueuedWrite.Change]] = []
    // Those of the last part; nil when nothing may join it.
    var subjects: Set<String>?
    for change in changes {
      guard let foresight = change.foresight else {
        parts.append([change])
        subjects = nil
        continue
      }
      if let known = subjects, known.isDisjoint(with: foresight.subjects) {
        parts[parts.count - 1].append(change)
        subjects = known.union(foresight.subjects)
      } else {
        parts.append([change])
        subjects = foresight.subjects
      }
    }
    return parts
  }
}
