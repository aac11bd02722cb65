import Foundation
import Glibc
import Support

/// A folder with every file that the table names.
enum PhotoFolder {
  /// Fills `folder`, which other users may look into.
  static func fill(_ folder: TemporaryDirectory) throws {
    chmod(folder.path, 0o755)
    let fixtures = [
      "face.jpg", "face-cmyk.jpg", "face-sixteen-bit.png", "face-grey.jpg", "face-alpha.png", "face-rotated.jpg",
      "face-display-p3.jpg", "face.heic", "face.avif", "face.webp", "two-faces.jpg", "landscape.jpg", "too-large.png",
      "too-small.png", "bomb.png", "other.gif",
    ]
    for name in fixtures { try folder.write(name, try Fixture.bytes("images/\(name)")) }
    try addDamaged(to: folder)
    try addOthers(to: folder)
    try addRenamed(to: folder)
    try addClosed(to: folder)
  }

  /// Gives back the rights without which the folder cannot be removed.
  static func open(_ folder: TemporaryDirectory) {
    for name in ["closed", "read-only"] { chmod("\(folder.path)/\(name)", 0o700) }
  }

  private static func addDamaged(to folder: TemporaryDirectory) throws {
    let photo = try Fixture.bytes("images/face.jpg")
    try folder.write("empty.jpg", [])
    try folder.write("truncated.jpg", Array(photo.prefix(photo.count / 2)))
    try folder.write("stump.jpg", Array(photo.prefix(20)))
    let heic = try Fixture.bytes("images/face.heic")
    try folder.write("truncated.heic", Array(heic.prefix(heic.count / 2)))
    var png = try Fixture.bytes("images/face-alpha.png")
    for index in stride(from: 200, to: png.count - 200, by: 97) { png[index] ^= 0x55 }
    try folder.write("flipped.png", png)
    try folder.write("eight-megabytes.jpg", photo + [UInt8](repeating: 0, count: 8 << 20))
    try folder.write("zeros.jpg", [UInt8](repeating: 0, count: 4_096))
    // Without blocks: it has a length and takes no room.
    truncate(try folder.write("forty-one-megabytes.jpg", photo), 41 << 20)
  }

  private static func addOthers(to folder: TemporaryDirectory) throws {
    try folder.write("text.jpg", Array("This is not a picture.\n".utf8))
    try folder.write("script.png", Array("#!/bin/sh\nrm -rf /\n".utf8))
    try folder.write("drawing.svg", Array(#"<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"/>"#.utf8))
    let paper = "%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
    try folder.write("paper.pdf", Array(paper.utf8))
    try folder.write("bmp.jpg", try Fixture.bytes("images/other.bmp"))
    try folder.makeFolder("folder")
    mkfifo("\(folder.path)/pipe.jpg", 0o600)
    symlink("circle.jpg", "\(folder.path)/circle.jpg")
    symlink("/dev/zero", "\(folder.path)/endless")
  }

  private static func addRenamed(to folder: TemporaryDirectory) throws {
    try folder.write("face.txt", try Fixture.bytes("images/face-alpha.png"))
    try folder.write("ｆａｃｅ 顔 чело 👩‍🚀.jpg", try Fixture.bytes("images/face.jpg"))
    symlink("face.jpg", "\(folder.path)/link.jpg")
    try folder.write("lying.jpg", withoutExif(try Fixture.bytes("images/face-rotated.jpg")))
  }

  /// The pixels of the photo that EXIF turns, without EXIF: its first segment is left out.
  static func withoutExif(_ photo: [UInt8]) -> [UInt8] {
    let length = Int(photo[4]) << 8 | Int(photo[5])
    return Array(photo[..<2] + photo[(4 + length)...])
  }

  private static func addClosed(to folder: TemporaryDirectory) throws {
    chmod(try folder.write("unreadable.jpg", try Fixture.bytes("images/face.jpg")), 0)
    let closed = try folder.makeFolder("closed")
    try folder.write("closed/face.jpg", try Fixture.bytes("images/face.jpg"))
    try folder.makeFolder("closed/inner")
    chmod(closed, 0)
    try folder.makeFolder("read-only", permissions: 0o555)
  }
}
