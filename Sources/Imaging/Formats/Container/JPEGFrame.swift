/// The header of a JPEG frame (ITU-T T.81, B.2.2).
struct JPEGFrame: Equatable {
  var bitsPerChannel: Int
  var height: Int
  var width: Int
  var channels: Int

  /// - Parameter data: of the segment.
  init?(_ data: ArraySlice<UInt8>) {
    var reader = ByteReader(data)
    guard let bits = reader.bigEndian(1), let height = reader.bigEndian(2), let width = reader.bigEndian(2),
      let channels = reader.bigEndian(1), reader.take(channels * 3) != nil
    else { return nil }
    (bitsPerChannel, self.height, self.width, self.channels) = (bits, height, width, channels)
  }
}
