import AtelierProtocol

/// The place after one entry of history. It names the entry by its time and id, so it stays valid whatever is added or
/// removed, the entry itself included.
public struct HistoryCursor: Sendable, Equatable {
  var created: Int64
  var id: String

  init(created: Int64, id: String) {
    self.created = created
    self.id = id
  }

  /// The place after everything that was accepted at `time` or later.
  init(before time: Int64) {
    // No id is greater than this one.
    self.init(created: time - 1, id: "\u{10FFFF}")
  }

  public init(after row: GenerationRow) {
    created = row.created.milliseconds
    id = row.id.rawValue
  }

  /// - Parameter text: as ``text`` wrote it.
  /// - Returns: nil for anything else.
  public init?(_ text: String) {
    guard let bytes = Base64URL.decoded(text) else { return nil }
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let created = Int64(parts[0]), !parts[1].utf8.contains(0) else { return nil }
    self.created = created
    id = String(parts[1])
    // A time that no entry has would overflow where the search reckons from it.
    guard self.text == text, Timestamp.range.contains(Timestamp(milliseconds: created)),
      id.unicodeScalars.count <= GenerationID.maximumLength
    else { return nil }
  }

  /// Opaque to clients.
  public var text: String { Base64URL.encoded("\(created):\(id)".utf8) }
}
