/// The items of an HEIC or AVIF file, one of which is its picture: what the box `meta` says (ISO/IEC 14496-12, 8.11, and
/// ISO/IEC 23008-12).
///
/// Every read is checked against the end of its box, and takes time linear in the length of the file. What is damaged is
/// left out. Positions are those in the file.
package struct MediaItems {
  package struct Item {
    package var id: Int
    /// Four letters, such as `hvc1`, `grid` or `Exif`.
    package var type: String
    /// The media type of an item of type `mime`.
    package var contentType: String
    /// Its entry in the list of items.
    package var box: MediaBoxes.Box

    package var isHidden: Bool { box.content.dropFirst(3).first.map { $0 & 1 == 1 } ?? false }
  }

  /// That one item refers to others: `dimg` to those that it is made of, `auxl` to those that it belongs to.
  package struct Reference: Hashable {
    package var kind: String
    package var from: Int
    package var to: [Int]
  }

  /// That an item has a property.
  package struct Association {
    /// The property's number, which counts from 1; 0 for none.
    package var property: Int
    /// Where the number stands, in one or two bytes.
    package var position: Int
    package var length: Int
  }

  /// Where a part of an item's data is.
  package struct Extent {
    package var offset: Int
    package var length: Int
    /// Whether the offset counts from the beginning of the file.
    package var isInFile: Bool
  }

  /// The whole file.
  package let file: [UInt8]
  /// The boxes of `meta`.
  package let boxes: ArraySlice<UInt8>
  /// The item that the file names as its picture.
  package let primary: Int
  /// Where its number stands.
  package let primaryPosition: Range<Int>
  /// In the order of the file; of several with one number, the first counts.
  package let items: [Item]
  package let references: [Reference]
  /// How many bytes an item's number has in ``references``.
  package let referenceBytes: Int
  package let properties: [MediaBoxes.Box]
  /// By the item's number.
  package let associations: [Int: [Association]]
  package let extents: [Int: [Extent]]
  private let known: Set<Int>
  /// What items are made of, by their numbers.
  private let made: [Int: [Int]]

  /// - Returns: nil for a file that shows no item.
  package init?(_ file: [UInt8]) {
    guard let boxes = MediaBoxes.content(of: "meta", in: file[...])?.dropFirst(4),
      let primary = MediaBoxes.content(of: "pitm", in: boxes).flatMap(Self.primary)
    else { return nil }
    (self.file, self.boxes) = (file, boxes)
    (self.primary, primaryPosition) = primary
    items = MediaBoxes.content(of: "iinf", in: boxes).map(Self.items) ?? []
    known = Set(items.map(\.id))
    let references = MediaBoxes.content(of: "iref", in: boxes)
    referenceBytes = references?.first == 0 ? 2 : 4
    self.references = references.map { [idBytes = referenceBytes] in Self.references($0, idBytes: idBytes) } ?? []
    let parts = self.references.lazy.filter { $0.kind == "dimg" }.map { ($0.from, $0.to) }
    made = Dictionary(parts) { first, _ in first }
    let all = MediaBoxes.content(of: "iprp", in: boxes)
    properties = all.flatMap { MediaBoxes.content(of: "ipco", in: $0) }.map(Self.properties) ?? []
    associations = all.map(Self.associations) ?? [:]
    extents = MediaBoxes.content(of: "iloc", in: boxes).map(Self.extents) ?? [:]
  }

  /// The item that is shown: the primary one or, if that joins a picture, which comes first, with its gain map, what a
  /// decoder without HDR shows of it.
  package var shown: Int {
    guard items.first(where: { $0.id == primary })?.type == "tmap" else { return primary }
    return made[primary]?.first ?? primary
  }

  /// Adds the items that an item is made of, and itself, as far as the file has them.
  package func addParts(of item: Int, to found: inout Set<Int>) {
    var next = [item]
    while let id = next.popLast() {
      if known.contains(id), found.insert(id).inserted { next += made[id] ?? [] }
    }
  }

  /// Whether all of the item's data is in the file, which has so many bytes.
  package func isWhole(_ item: Int, in count: Int) -> Bool {
    guard let extents = extents[item] else { return false }
    return extents.allSatisfy { extent in
      let (end, isHuge) = extent.offset.addingReportingOverflow(extent.length)
      return !extent.isInFile || !isHuge && end <= count
    }
  }

  /// Whether the box `auxC` says that an item is the opacity of another (ISO/IEC 23008-12, 6.5.8 and B.2.2.2; 23000-22,
  /// 7.3.5.2).
  /// - Parameter content: of the box.
  package static func isAlpha(auxC content: ArraySlice<UInt8>) -> Bool {
    let types = ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:avc:2015:auxid:1"]
    let text = content.dropFirst(4).prefix { $0 != 0 }
    return types.contains { text.elementsEqual($0.utf8) }
  }

  // MARK: - Boxes

  private static func primary(_ box: ArraySlice<UInt8>) -> (Int, Range<Int>)? {
    var reader = ByteReader(box)
    guard let version = reader.byte(), reader.take(3) != nil else { return nil }
    let start = reader.position
    guard let id = reader.bigEndian(version == 0 ? 2 : 4) else { return nil }
    return (id, start..<reader.position)
  }

  private static func items(_ box: ArraySlice<UInt8>) -> [Item] {
    guard let version = box.first else { return [] }
    var boxes = MediaBoxes(box.dropFirst(version == 0 ? 6 : 8))
    var items: [Item] = []
    var known: Set<Int> = []
    while let box = boxes.next() {
      if box.name == "infe", let item = item(box), known.insert(item.id).inserted { items.append(item) }
    }
    return items
  }

  private static func item(_ box: MediaBoxes.Box) -> Item? {
    var reader = ByteReader(box.content)
    guard let version = reader.byte(), reader.take(3) != nil, let id = reader.bigEndian(version <= 2 ? 2 : 4),
      reader.take(2) != nil
    else { return nil }
    // Older entries name no type, and no picture has them.
    guard version >= 2 else { return Item(id: id, type: "", contentType: "", box: box) }
    guard let type = reader.text(4) else { return nil }
    var contentType = ""
    if type == "mime", reader.skip(past: 0) {
      contentType = String(decoding: reader.takeRest().prefix { $0 != 0 }, as: UTF8.self)
    }
    return Item(id: id, type: type, contentType: contentType, box: box)
  }

  private static func references(_ box: ArraySlice<UInt8>, idBytes: Int) -> [Reference] {
    var boxes = MediaBoxes(box.dropFirst(4))
    var references: [Reference] = []
    while let box = boxes.next() {
      var reader = ByteReader(box.content)
      guard let from = reader.bigEndian(idBytes), let count = reader.bigEndian(2), let all = reader.take(count * idBytes)
      else { continue }
      var ids = ByteReader(all)
      references.append(Reference(kind: box.name, from: from, to: (0..<count).compactMap { _ in ids.bigEndian(idBytes) }))
    }
    return references
  }

  private static func properties(_ box: ArraySlice<UInt8>) -> [MediaBoxes.Box] {
    var boxes = MediaBoxes(box)
    var properties: [MediaBoxes.Box] = []
    while let box = boxes.next() { properties.append(box) }
    return properties
  }

  private static func associations(_ properties: ArraySlice<UInt8>) -> [Int: [Association]] {
    var boxes = MediaBoxes(properties)
    var found: [Int: [Association]] = [:]
    while let box = boxes.next() {
      var reader = ByteReader(box.content)
      guard box.name == "ipma", let version = reader.byte(), let flags = reader.bigEndian(3),
        let entries = reader.bigEndian(4)
      else { continue }
      let length = flags & 1 == 1 ? 2 : 1
      for _ in 0..<entries {
        guard let item = reader.bigEndian(version == 0 ? 2 : 4), let count = reader.byte() else { break }
        for _ in 0..<count {
          let position = reader.position
          guard let number = reader.bigEndian(length) else { break }
          // The highest bit says whether a reader must know the property.
          let property = number & (length == 2 ? 0x7fff : 0x7f)
          found[item, default: []].append(Association(property: property, position: position, length: length))
        }
      }
    }
    return found
  }

  private static func extents(_ box: ArraySlice<UInt8>) -> [Int: [Extent]] {
    var reader = ByteReader(box)
    guard let version = reader.byte(), reader.take(3) != nil, let sizes = reader.bigEndian(2),
      let count = reader.bigEndian(version < 2 ? 2 : 4)
    else { return [:] }
    let (offset, length, base) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
    let index = version == 0 ? 0 : sizes & 15
    // Parts without a place and a length would be endless.
    guard [offset, length, base, index].allSatisfy([0, 4, 8].contains), offset + length > 0 else { return [:] }
    var found: [Int: [Extent]] = [:]
    for _ in 0..<count {
      guard let item = reader.bigEndian(version < 2 ? 2 : 4), let method = reader.bigEndian(version == 0 ? 0 : 2),
        reader.take(2) != nil, let start = reader.bigEndian(base), let extents = reader.bigEndian(2)
      else { break }
      for _ in 0..<extents {
        guard reader.take(index) != nil, let place = reader.bigEndian(offset), let size = reader.bigEndian(length) else {
          break
        }
        let (from, isHuge) = start.addingReportingOverflow(place)
        // Beyond any file, and not before it.
        let isUsable = !isHuge && from >= 0 && size >= 0
        found[item, default: []].append(
          Extent(offset: isUsable ? from : .max, length: max(0, size), isInFile: method & 15 == 0))
      }
    }
    return found
  }
}
