/// A number of bytes, written for people: "812 bytes", "2.4 MB" (of a million bytes).
struct ByteCount: CustomStringConvertible {
  var bytes: Int

  init(_ bytes: Int) { self.bytes = bytes }

  var description: String {
    guard bytes >= 1000 else { return "\(bytes) bytes" }
    let (unit, name) = bytes < 1_000_000 ? (1000, "kB") : (1_000_000, "MB")
    // Rounded up, so that what is over a limit never reads as the limit itself.
    let tenths = (bytes + unit / 10 - 1) / (unit / 10)
    return tenths % 10 == 0 ? "\(tenths / 10) \(name)" : "\(tenths / 10).\(tenths % 10) \(name)"
  }
}
