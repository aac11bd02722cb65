import Encodings

/// The members of a JSON object, in the order of insertion.
///
/// Names are compared byte by byte, as JSON does, not by Unicode equivalence. Two objects are equal when they have
/// equal members in any order.
public struct JSONObject: Sendable {
  /// One member: its name and its value.
  public typealias Element = (key: String, value: JSONValue)

  private var members: [Element] = []
  /// The position of each name; kept only for large objects, where a linear search would let a hostile message cost
  /// quadratic time.
  private var positions: [ExactText: Int]?

  private static let linearSearchLimit = 16

  public init() {}

  /// If a key occurs twice, the last value wins and keeps the position of the first.
  public init(members: some Sequence<(String, JSONValue)>) {
    for (key, value) in members { self[key] = value }
  }

  public var count: Int { members.count }
  public var isEmpty: Bool { members.isEmpty }

  /// The names in the order of insertion.
  public var keys: [String] { members.map(\.key) }

  /// The values in the order of insertion.
  public var values: [JSONValue] { members.map(\.value) }

  /// The member named `key`; setting nil removes it.
  public subscript(key: String) -> JSONValue? {
    get { position(of: key).map { members[$0].value } }
    set {
      switch (position(of: key), newValue) {
      case (let position?, let value?): members[position].value = value
      case (let position?, nil): remove(at: position)
      case (nil, let value?): append(key, value)
      case (nil, nil): break
      }
    }
  }

  private func position(of key: String) -> Int? {
    if let positions { return positions[ExactText(key)] }
    return members.firstIndex { ExactText.areSame($0.key, key) }
  }

  private mutating func append(_ key: String, _ value: JSONValue) {
    members.append((key, value))
    if positions != nil {
      positions?[ExactText(key)] = members.count - 1
    } else if members.count > Self.linearSearchLimit {
      indexPositions()
    }
  }

  private mutating func remove(at position: Int) {
    members.remove(at: position)
    positions = nil
    if members.count > Self.linearSearchLimit { indexPositions() }
  }

  private mutating func indexPositions() {
    var index: [ExactText: Int] = [:]
    index.reserveCapacity(members.count * 2)
    for (position, member) in members.enumerated() { index[ExactText(member.key)] = position }
    positions = index
  }
}

extension JSONObject: Sequence {
  public func makeIterator() -> IndexingIterator<[Element]> { members.makeIterator() }
  public var underestimatedCount: Int { members.count }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(members: elements) }
}

extension JSONObject: Hashable {
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.count == right.count && left.members.allSatisfy { right[$0.key] == $0.value }
  }

  public func hash(into hasher: inout Hasher) {
    // Independent of the order, as equality is.
    var sum = 0
    for (key, value) in members {
      var member = Hasher()
      ExactText.hash(key, into: &member)
      member.combine(value)
      sum &+= member.finalize()
    }
    hasher.combine(sum)
  }
}
