/// The first chunk of a PNG file (PNG, third edition, 11.2.1).
struct PNGHeader: Equatable {
  var width: Int
  var height: Int
  var bitsPerChannel: Int
  /// 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB with alpha.
  var colourType: Int

  /// - Returns: nil for another chunk, and one of another length.
  init?(_ chunk: PNGChunks.Chunk) {
    var reader = ByteReader(chunk.data)
    guard chunk.name == "IHDR", chunk.data.count == 13, let width = reader.bigEndian(4),
      let height = reader.bigEndian(4), let bits = reader.bigEndian(1), let colourType = reader.bigEndian(1)
    else { return nil }
    (self.width, self.height, bitsPerChannel, self.colourType) = (width, height, bits, colourType)
  }
}
