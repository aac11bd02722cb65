/// The dimensions of a picture in pixels, from its header; nil if the picture is truncated.
package struct PictureSides: Equatable {
  package var width: Int
  package var height: Int

  private init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  /// Of a JPEG, PNG, WebP, HEIC or AVIF, which the bytes decide.
  package init?(of bytes: [UInt8]) {
    let sides =
      PictureSides(jpeg: bytes, mayLackEnd: true) ?? PictureSides(png: bytes) ?? PictureSides(webp: bytes)
      ?? PictureSides(media: bytes)
    guard let sides else { return nil }
    self = sides
  }

  /// Scans to the end of the image, past every scan segment.
  /// - Parameter mayLackEnd: whether a file without its end has dimensions as well, if its frame has.
  package init?(jpeg bytes: [UInt8], mayLackEnd: Bool = false) {
    guard var segments = JPEGSegments(bytes) else { return nil }
    var frame: JPEGFrame?
    var hasScan = false
    while let segment = segments.next() {
      if segment.isFrame, frame == nil { frame = JPEGFrame(segment.data) }
      if segment.isScan { hasScan = true }
      guard segment.isEndOfImage else { continue }
      guard let frame, hasScan else { return nil }
      self.init(width: frame.width, height: frame.height)
      return
    }
    guard mayLackEnd, let frame else { return nil }
    self.init(width: frame.width, height: frame.height)
  }

  package init?(png bytes: [UInt8]) {
    guard var chunks = PNGChunks(bytes), let header = chunks.next().flatMap(PNGHeader.init) else { return nil }
    var hasPixels = false
    while let chunk = chunks.next() {
      if chunk.name == "IDAT" { hasPixels = hasPixels || !chunk.data.isEmpty }
      guard chunk.name == "IEND" else { continue }
      guard hasPixels else { return nil }
      self.init(width: header.width, height: header.height)
      return
    }
    return nil
  }

  package init?(webp bytes: [UInt8]) {
    guard var chunks = WebPChunks(bytes) else { return nil }
    var header: WebPHeader?
    var hasPixels = false
    while !chunks.isAtEnd {
      guard let chunk = chunks.next() else { return nil }
      header = header ?? WebPHeader(chunk)
      hasPixels = hasPixels || ["VP8 ", "VP8L", "ANMF"].contains(chunk.name)
    }
    guard let header, hasPixels else { return nil }
    self.init(width: header.width, height: header.height)
  }

  /// For HEIC and AVIF: the largest of the items' sizes, since tiles and previews are smaller.
  package init?(media bytes: [UInt8]) {
    var boxes = MediaBoxes(bytes[...])
    var largest: PictureSides?
    var hasPixels = false
    while !boxes.isAtEnd {
      guard let box = boxes.next() else { return nil }
      if box.name == "meta" {
        largest = largest ?? Self.largest(inMeta: box.content)
        hasPixels = hasPixels || MediaBoxes.content(of: "idat", in: box.content.dropFirst(4)) != nil
      }
      if box.name == "mdat" { hasPixels = hasPixels || !box.content.isEmpty }
    }
    guard let largest, hasPixels else { return nil }
    self = largest
  }

  /// `meta` and `ispe` begin with four bytes of version and flags.
  private static func largest(inMeta meta: ArraySlice<UInt8>) -> PictureSides? {
    guard let properties = MediaBoxes.content(of: "iprp", in: meta.dropFirst(4)),
      let container = MediaBoxes.content(of: "ipco", in: properties)
    else { return nil }
    var boxes = MediaBoxes(container)
    var largest: PictureSides?
    while let box = boxes.next() {
      var reader = ByteReader(box.content.dropFirst(4))
      guard box.name == "ispe", let width = reader.bigEndian(4), let height = reader.bigEndian(4),
        max(width, height) < 1 << 31
      else { continue }
      if width * height > largest.map({ $0.width * $0.height }) ?? -1 {
        largest = PictureSides(width: width, height: height)
      }
    }
    return largest
  }
}
