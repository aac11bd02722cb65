/// EXIF as a camera writes it that uses Adobe RGB (EXIF 2.3, 4.6; Design rule for camera file systems, 4.2).
enum Exif {
  static func adobeRGB(_ jpeg: [UInt8], orientation: Int) throws -> [UInt8] {
    func entry(_ tag: Int, _ type: UInt8, _ count: UInt8, _ value: [UInt8]) -> [UInt8] {
      [UInt8(tag & 255), UInt8(tag >> 8), type, 0, count, 0, 0, 0] + value
    }
    func directory(_ entries: [[UInt8]]) -> [UInt8] { [UInt8(entries.count), 0] + entries.flatMap { $0 } + [0, 0, 0, 0] }
    let first = 8 + 2 + 2 * 12 + 4
    let second = first + 2 + 12 + 4
    let tiff = Array("II".utf8) + [42, 0, 8, 0, 0, 0]
      + directory([
        entry(0x0112, 3, 1, [UInt8(orientation), 0, 0, 0]), entry(0x8769, 4, 1, [UInt8(first), 0, 0, 0]),
      ])
      + directory([entry(0xa005, 4, 1, [UInt8(second), 0, 0, 0])])
      + directory([entry(1, 2, 4, Array("R03\0".utf8))])
    let segment = Array("Exif\0\0".utf8) + tiff
    // In place of the orientation that the file has: its first segment.
    let old = 2 + 2 + Int(jpeg[4]) << 8 + Int(jpeg[5])
    return [0xff, 0xd8, 0xff, 0xe1, 0, UInt8(segment.count + 2)] + segment + Array(jpeg.dropFirst(old))
  }
}
