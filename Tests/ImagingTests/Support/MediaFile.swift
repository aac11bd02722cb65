import Imaging
import PictureFiles
import Testing

/// An HEIC or AVIF file made of the pixels of a fixture and of whatever else such files have.
struct MediaFile {
  struct Item {
    var id: Int
    var type: String
    var contentType = ""
    var isHidden = false
    /// The pixels of the fixture, unless it is said otherwise; nil for an item without any data.
    var data: [UInt8]?
    /// The boxes of its properties beside those of the picture.
    var properties: [[UInt8]] = []
    var isCoded: Bool { ["hvc1", "av01"].contains(type) }
  }

  struct Reference {
    var kind: String
    var from: Int
    var to: [Int]
  }

  private let format: ImageFormat
  private let pixels: [UInt8]
  /// The properties of the picture.
  private let picture: [[UInt8]]
  var items: [Item]
  var references: [Reference] = []
  var primary = 1
  /// How many bytes the number of an item has in the file: 2 or 4.
  var idBytes = 2
  /// Whether boxes tell their size in 64 bits.
  var isWide = false
  /// Boxes at the end of `meta`, and between it and the data.
  var metaBoxes: [[UInt8]] = []
  var topBoxes: [[UInt8]] = []
  /// What follows the last reference.
  var referenceRest: [UInt8] = []
  /// Properties that no item has by its number, and numbers that no property has.
  var strayAssociations: [UInt8] = []
  /// What is between the file's data and the place that EXIF claims.
  var exifOffset = 0

  /// The picture of `plain.heic` or `plain.avif` and nothing else.
  init(_ format: ImageFormat) throws {
    let file = try Fixture.image("plain.\(format)")
    let media = try #require(MediaItems(file))
    let extent = try #require(media.extents[media.primary]?.first)
    self.format = format
    pixels = Array(file[extent.offset..<extent.offset + extent.length])
    picture = (media.associations[media.primary] ?? []).map { association in
      let property = media.properties[association.property - 1]
      return Self.box(property.name, Array(property.content))
    }
    items = [Item(id: 1, type: format == .heic ? "hvc1" : "av01", data: pixels)]
  }

  /// Another picture with the same pixels.
  mutating func addPicture(_ id: Int, properties: [[UInt8]] = []) {
    items.append(Item(id: id, type: items[0].type, isHidden: true, data: pixels, properties: properties))
  }

  mutating func add(_ id: Int, _ type: String, _ data: [UInt8]?, contentType: String = "", properties: [[UInt8]] = []) {
    items.append(Item(id: id, type: type, contentType: contentType, data: data, properties: properties))
  }

  mutating func refer(_ kind: String, _ from: Int, _ to: [Int]) {
    references.append(Reference(kind: kind, from: from, to: to))
  }

  /// The property that says what an auxiliary picture is.
  static func kind(_ name: String) -> [UInt8] { box("auxC", [0, 0, 0, 0] + Array(name.utf8) + [0]) }

  static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    number(content.count + 8, 4) + Array(name.utf8) + content
  }

  static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  private func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    guard isWide else { return Self.box(name, content) }
    return Self.number(1, 4) + Array(name.utf8) + Self.number(content.count + 16, 8) + content
  }

  private func id(_ value: Int) -> [UInt8] { Self.number(value, idBytes) }

  var bytes: [UInt8] {
    let kind = format == .heic ? "heic" : "avif"
    let beginning = Self.box("ftyp", Array("\(kind)\0\0\0\0mif1\(kind)".utf8))
    let rest = topBoxes.flatMap { $0 }
    let data = items.flatMap { $0.data ?? [] }
    let start = beginning.count + meta(dataStart: 0).count + rest.count + (isWide ? 16 : 8)
    return beginning + meta(dataStart: start) + rest + box("mdat", data)
  }

  private func meta(dataStart: Int) -> [UInt8] {
    let version: [UInt8] = [idBytes == 2 ? 0 : 1, 0, 0, 0]
    let handler = Self.box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
    let list = [0, 0, 0, 0] + Self.number(items.count, 2) + items.flatMap(entry)
    let references = version + references.flatMap(entry) + referenceRest
    return box(
      "meta",
      [0, 0, 0, 0] + handler + box("pitm", version + id(primary)) + box("iloc", locations(dataStart))
        + box("iinf", list) + (references.count > 4 ? box("iref", references) : []) + properties
        + metaBoxes.flatMap { $0 })
  }

  private func entry(_ item: Item) -> [UInt8] {
    let contentType = item.type == "mime" ? Array(item.contentType.utf8) + [0] : []
    return Self.box(
      "infe",
      [idBytes == 2 ? 2 : 3, 0, 0, item.isHidden ? 1 : 0] + id(item.id) + [0, 0] + Array(item.type.utf8) + [0] + contentType)
  }

  private func entry(_ reference: Reference) -> [UInt8] {
    box(reference.kind, id(reference.from) + Self.number(reference.to.count, 2) + reference.to.flatMap(id))
  }

  private func locations(_ dataStart: Int) -> [UInt8] {
    var entries: [UInt8] = []
    var offset = dataStart
    for item in items {
      guard let data = item.data else { continue }
      let claimed = item.type == "Exif" ? offset + exifOffset : offset
      entries += id(item.id) + [0, 0, 0, 0, 0, 1] + Self.number(claimed, 4) + Self.number(data.count, 4)
      offset += data.count
    }
    let count = items.count { $0.data != nil }
    return [idBytes == 2 ? 1 : 2, 0, 0, 0, 0x44, 0] + id(count) + entries
  }

  private var properties: [UInt8] {
    var all = picture
    var associations: [UInt8] = []
    for item in items where item.isCoded || !item.properties.isEmpty {
      let own = all.count + 1..<all.count + 1 + item.properties.count
      all += item.properties
      let stray = item.id == primary ? strayAssociations : []
      let numbers = (item.isCoded ? Array(1...picture.count) : []) + Array(own)
      associations += id(item.id) + [UInt8(numbers.count + stray.count)] + numbers.map { UInt8($0) } + stray
    }
    let count = items.count { $0.isCoded || !$0.properties.isEmpty }
    return box(
      "iprp",
      box("ipco", all.flatMap { $0 })
        + box("ipma", [idBytes == 2 ? 0 : 1, 0, 0, 0] + Self.number(count, 4) + associations))
  }
}
