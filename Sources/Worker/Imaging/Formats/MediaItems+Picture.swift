import PictureFiles

/// What colours, opacity and turns of an HEIC or AVIF file are read from.
extension MediaItems {
  struct Property: Equatable {
    var name: String
    var content: ArraySlice<UInt8>
  }

  /// The properties of an item with the places in the file that link to them, in the order in which a reader applies them.
  func properties(of item: Int) -> [(property: Property, link: Range<Int>)] {
    (associations[item] ?? []).compactMap { link in
      guard properties.indices.contains(link.property - 1) else { return nil }
      let box = properties[link.property - 1]
      return (Property(name: box.name, content: box.content), link.position..<link.position + link.length)
    }
  }

  func property(_ name: String, of item: Int) -> ArraySlice<UInt8>? {
    properties(of: item).first { $0.property.name == name }?.property.content
  }

  /// The item that is shown and, if it is made of others, those.
  var pictureItems: [Int] { [shown] + parts(of: shown) }

  /// The parts of an item that is a grid of tiles (ISO/IEC 23008-12, 6.6.2.3).
  func tiles(of item: Int) -> [Int] { items.first { $0.id == item }?.type == "grid" ? parts(of: item) : [] }

  /// Each once, however often the file names it.
  private func parts(of item: Int) -> [Int] {
    var known: Set<Int> = []
    return (references.first { $0.kind == "dimg" && $0.from == item }?.to ?? []).filter { known.insert($0).inserted }
  }

  /// The item with the opacity of the one that is shown.
  var alpha: Int? {
    var known: Set<Int> = [shown]
    return references.first { reference in
      guard reference.kind == "auxl", reference.to.contains(shown), known.insert(reference.from).inserted,
        let type = property("auxC", of: reference.from)
      else { return false }
      return Self.isAlpha(auxC: type)
    }?.from
  }

  /// Where the encoded data of an item begins, in the first of its parts (ISO/IEC 14496-12, 8.11.3).
  /// - Returns: at most so many bytes; nil where the file has none.
  func data(of item: Int, atMost count: Int) -> ArraySlice<UInt8>? {
    guard let extent = extents[item]?.first else { return nil }
    let source = extent.isInFile ? file[...] : MediaBoxes.content(of: "idat", in: boxes)
    guard let source, extent.offset < source.count else { return nil }
    return source.dropFirst(extent.offset).prefix(min(count, extent.length == 0 ? count : extent.length))
  }
}
