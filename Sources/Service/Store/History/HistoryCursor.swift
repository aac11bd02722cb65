import AtelierProtocol
import Encodings

/// The position after one entry of a list of generations or sessions. It contains the entry's time and id, so it stays
/// valid when entries are added or removed, including this entry.
public struct HistoryCursor: Sendable, Equatable {
  var created: Int64
  var id: String

  init(created: Int64, id: String) {
    self.created = created
    self.id = id
  }

  /// The position after all entries accepted at `time` or later.
  init(before time: Int64) {
    // No id is greater than this one.
    self.init(created: time - 1, id: "\u{10FFFF}")
  }

  public init(after row: GenerationRow) {
    created = row.created.milliseconds
    id = row.id.rawValue
  }

  /// - Parameters:
  ///   - text: a value of ``text(of:)``.
  ///   - list: the name of the list it must belong to.
  /// - Returns: nil for anything else.
  public init?(_ text: String, of list: String) {
    guard let bytes = Base64URL.decoded(text.utf8) else { return nil }
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: ":", maxSplits: 2)
    guard parts.count == 3, parts[0] == list, let created = Int64(parts[1]), !parts[2].utf8.contains(0) else { return nil }
    self.created = created
    id = String(parts[2])
    // A time outside the valid range would overflow in the search's arithmetic.
    guard self.text(of: list) == text, Timestamp.range.contains(Timestamp(milliseconds: created)),
      id.unicodeScalars.count <= GenerationID.maximumLength
    else { return nil }
  }

  /// Opaque to clients.
  /// - Parameter list: the name of the list, such as the method that gives it: no other accepts the cursor.
  public func text(of list: String) -> String { Base64URL.encoded("\(list):\(created):\(id)".utf8) }
}
