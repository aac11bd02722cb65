/// What is changed in an HEIC or AVIF file so that a decoder sees nothing but the picture: its parts, its transparency, and
/// what EXIF and XMP say of it.
///
/// Decoders refuse whole files for what no picture needs: depth and gain maps, previews, references to two items or to
/// none, metadata that is stored twice. Each change keeps the length, so that every part stays where the file says:
/// a box's name becomes `free`, and the references are written anew in the space of the old ones.
package struct MediaReduction {
  /// Bytes that take the place of as many others.
  package struct Change: Equatable {
    package var position: Int
    package var bytes: [UInt8]
  }

  package private(set) var changes: [Change] = []
  /// See ``MediaItems/shown``.
  package let shown: Int

  private let media: MediaItems
  /// What the shown picture is made of.
  package let parts: Set<Int>
  /// The same and its transparency.
  private var pictures: Set<Int>
  private var alphas: Set<Int> = []
  private var metadata: Set<Int> = []

  /// - Returns: nil for a file without a picture, or without a list of items.
  package init?(_ file: [UInt8]) {
    guard let media = MediaItems(file), !media.items.isEmpty else { return nil }
    let types = Dictionary(media.items.map { ($0.id, $0.type) }) { first, _ in first }
    self.media = media
    shown = media.shown
    var parts: Set<Int> = []
    media.addParts(of: shown, to: &parts)
    (self.parts, pictures) = (parts, parts)
    findAlphas()
    findMetadata(in: file.count, types: types)
    // First, because what has no room for its reference is hidden.
    writeReferences()
    showPrimary()
    hideBoxes(of: file)
    hideItems()
    hideProperties()
  }

  private var kept: Set<Int> { pictures.union(metadata) }

  private mutating func findAlphas() {
    var looked: Set<Int> = []
    for reference in media.references where reference.kind == "auxl" && !parts.contains(reference.from) {
      guard !parts.isDisjoint(with: reference.to), looked.insert(reference.from).inserted, isAlpha(reference.from) else {
        continue
      }
      alphas.insert(reference.from)
    }
    findPictures()
  }

  private mutating func findPictures() {
    pictures = parts
    for alpha in alphas { media.addParts(of: alpha, to: &pictures) }
  }

  private func isAlpha(_ item: Int) -> Bool {
    (media.associations[item] ?? []).contains { association in
      guard let property = property(association), property.name == "auxC" else { return false }
      return MediaItems.isAlpha(auxC: property.content)
    }
  }

  private func property(_ association: MediaItems.Association) -> MediaBoxes.Box? {
    let index = association.property - 1
    return media.properties.indices.contains(index) ? media.properties[index] : nil
  }

  /// The first EXIF and the first XMP that say something of the picture, and are in the file.
  private mutating func findMetadata(in count: Int, types: [Int: String]) {
    let contents = Dictionary(media.items.map { ($0.id, $0.contentType) }) { first, _ in first }
    var kinds: Set<String> = []
    var looked: Set<Int> = []
    for reference in media.references where reference.kind == "cdsc" {
      guard let type = types[reference.from], !pictures.contains(reference.from), !kinds.contains(type),
        type == "Exif" || type == "mime" && contents[reference.from] == "application/rdf+xml",
        reference.to.contains(where: [shown, media.primary].contains), looked.insert(reference.from).inserted,
        media.isWhole(reference.from, in: count)
      else { continue }
      kinds.insert(type)
      metadata.insert(reference.from)
    }
  }

  // MARK: - Changes

  private mutating func hide(_ box: MediaBoxes.Box) {
    changes.append(Change(position: box.namePosition, bytes: Array("free".utf8)))
  }

  private mutating func showPrimary() {
    if shown != media.primary {
      changes.append(
        Change(position: media.primaryPosition.lowerBound, bytes: Self.bytes(shown, media.primaryPosition.count)))
    }
    guard let item = media.items.first(where: { $0.id == shown && $0.isHidden }) else { return }
    let flags = item.box.content.startIndex + 3
    changes.append(Change(position: flags, bytes: [item.box.content[flags] & 0xfe]))
  }

  /// Groups of items, where else data could be, and what follows the first list of items.
  private mutating func hideBoxes(of file: [UInt8]) {
    var parts = MediaBoxes(media.boxes)
    while let box = parts.next() {
      if box.name == "grpl" || box.name == "dinf" { hide(box) }
    }
    var others = MediaBoxes(file[...])
    var hasItems = false
    while let box = others.next() {
      if box.name == "moov" || box.name == "meta" && hasItems { hide(box) }
      hasItems = hasItems || box.name == "meta"
    }
  }

  private mutating func hideItems() {
    let kept = kept
    var boxes = Set(media.items.lazy.filter { kept.contains($0.id) }.map(\.box.start))
    guard let list = MediaBoxes.content(of: "iinf", in: media.boxes), let version = list.first else { return }
    var entries = MediaBoxes(list.dropFirst(version == 0 ? 6 : 8))
    while let box = entries.next() {
      if box.name == "infe", boxes.remove(box.start) == nil { hide(box) }
    }
  }

  private mutating func hideProperties() {
    var used: Set<Int> = []
    for item in kept {
      for association in media.associations[item] ?? [] {
        used.insert(association.property)
        guard association.property > media.properties.count else { continue }
        let none = [UInt8](repeating: 0, count: association.length)
        changes.append(Change(position: association.position, bytes: none))
      }
    }
    for (index, box) in media.properties.enumerated() {
      if !used.contains(index + 1) || Self.isDispensable(box) { hide(box) }
    }
  }

  /// Whether a property changes no pixel that is decoded here: names, the shape of pixels, the screen of the author; and
  /// colours in a form that only films have.
  private static func isDispensable(_ property: MediaBoxes.Box) -> Bool {
    switch property.name {
    case "pasp", "clli", "mdcv", "cclv", "amve", "udes", "altt", "crtt", "mdft": true
    case "colr": !["nclx", "prof", "rICC"].contains(String(decoding: property.content.prefix(4), as: UTF8.self))
    default: false
    }
  }

  // MARK: - References

  private mutating func writeReferences() {
    guard let box = MediaBoxes.first("iref", in: media.boxes), box.content.count >= 4 else { return }
    var written = neededReferences
    // The box `free` that fills the rest has eight bytes at least; without a reference there is room for it.
    let room = box.content.count - 4
    while (1..<8).contains(room - size(written)), let last = written.last(where: { ["auxl", "cdsc"].contains($0.kind) }) {
      metadata.remove(last.from)
      alphas.remove(last.from)
      findPictures()
      written = neededReferences
    }
    let rest = room - size(written)
    guard rest >= 0, !(1..<8).contains(rest) else { return }
    if written.isEmpty { return hide(box) }
    let header = box.content.startIndex - box.start
    let length = header + box.content.count - rest
    let place = header == 8 ? box.start : box.start + 8
    var bytes = written.flatMap(bytes)
    if rest > 0 { bytes += Self.bytes(rest, 4) + Array("free".utf8) }
    changes.append(Change(position: place, bytes: Self.bytes(length, header == 8 ? 4 : 8)))
    changes.append(Change(position: box.content.startIndex + 4, bytes: bytes))
  }

  private var neededReferences: [MediaItems.Reference] {
    var known: Set<MediaItems.Reference> = []
    return media.references.compactMap { reference in
      guard let needed = needed(reference), !needed.to.isEmpty else { return nil }
      return known.insert(MediaItems.Reference(kind: needed.kind, from: needed.from, to: [])).inserted ? needed : nil
    }
  }

  /// The reference with the targets that the picture needs; nil if it needs none.
  private func needed(_ reference: MediaItems.Reference) -> MediaItems.Reference? {
    var needed = reference
    switch reference.kind {
    case "thmb": return nil
    case "auxl":
      guard alphas.contains(reference.from) else { return nil }
      let target = reference.to.contains(shown) ? shown : reference.to.first(where: parts.contains)
      needed.to = target.map { [$0] } ?? []
    case "cdsc":
      guard metadata.contains(reference.from) else { return nil }
      needed.to = [shown]
    case "prem":
      guard pictures.contains(reference.from) else { return nil }
      needed.to = reference.to.filter(alphas.contains)
    default:
      // A part that is missing is for the decoder to tell.
      guard pictures.contains(reference.from), reference.kind.utf8.count == 4,
        reference.kind == "dimg" || pictures.isSuperset(of: reference.to)
      else { return nil }
    }
    return needed
  }

  private func size(_ references: [MediaItems.Reference]) -> Int {
    references.reduce(0) { $0 + 10 + media.referenceBytes * (1 + $1.to.count) }
  }

  private func bytes(_ reference: MediaItems.Reference) -> [UInt8] {
    Self.bytes(size([reference]), 4) + Array(reference.kind.utf8) + Self.bytes(reference.from, media.referenceBytes)
      + Self.bytes(reference.to.count, 2) + reference.to.flatMap { Self.bytes($0, media.referenceBytes) }
  }

  private static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
