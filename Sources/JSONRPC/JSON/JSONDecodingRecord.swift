/// What was asked of one value while it was decoded, and of the values inside it.
///
/// A type says which members it knows only by asking for them, so unknown members are found afterwards: whatever is
/// there and was never asked for. Touched only by the one call of `decode` that made it, and not `Sendable`.
final class JSONDecodingRecord {
  private let path: JSONPath
  /// The object that was read member by member, if it was.
  private var object: JSONObject?
  private var asked: Set<ExactText> = []
  private var isOpen = false
  private var children: [JSONDecodingRecord] = []

  init(path: JSONPath) { self.path = path }

  func opened(_ object: JSONObject) { self.object = object }
  func asked(for key: String) { asked.insert(ExactText(key)) }

  /// Every name is welcome, as in a dictionary.
  func askedForAllKeys() { isOpen = true }

  /// Keeps the record of a value inside this one, once it was decoded successfully: what a failed attempt asked for
  /// says nothing about what is known.
  func add(_ child: JSONDecodingRecord) { children.append(child) }

  /// The first member that nobody asked for; `_meta` is allowed anywhere (PROTOCOL 3).
  func firstUnknownMember() -> JSONDecodingFailure? {
    if let object, !isOpen {
      for (key, _) in object where key != "_meta" && !asked.contains(ExactText(key)) {
        return JSONDecodingFailure(unknown: path.appending(JSONKey(stringValue: key)), known: asked.map(\.text))
      }
    }
    for child in children {
      if let failure = child.firstUnknownMember() { return failure }
    }
    return nil
  }
}
