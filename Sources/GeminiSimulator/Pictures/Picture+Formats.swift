extension Picture {
  /// Grey fields, their shades taken from the marker.
  func jpeg() -> [UInt8] {
    let seed = marker.seed
    return JPEGWriter.encode(size, comment: marker.text) { column, row in
      UInt8(truncatingIfNeeded: 64 + (seed >> UInt64((column * 7 + row * 5) % 57) & 0x7F))
    }
  }

  /// One colour, taken from the marker.
  func webp() -> [UInt8] {
    let seed = marker.seed
    let colour = [0, 8, 16].map { UInt8(truncatingIfNeeded: seed >> $0) }
    return WebPWriter.encode(size, colour: (colour[0], colour[1], colour[2]), comment: marker.text)
  }

  /// A small file, whole and with good check values, that promises more pixels than any memory holds.
  func enormousPNG() -> [UInt8] {
    var writer = PNGWriter()
    writer.header(PictureSize(width: 60000, height: 60000), bitDepth: 8, colour: .truecolour)
    writer.text(marker.text)
    writer.chunk("IDAT", PNGWriter.stored([UInt8](repeating: 0, count: 1000)))
    writer.end()
    return writer.bytes
  }
}
