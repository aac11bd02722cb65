import AtelierProtocol
import Glibc
import Imaging

/// The parts of a file's path that decide where and as what a picture is written.
struct OutputName: Equatable {
  /// The folder of the file.
  let folder: String
  /// The name in the folder.
  let name: String
  /// The name without its extension.
  let stem: String
  private let fileExtension: String
  /// The folder as it was named, with its slash; empty if none was.
  private let prefix: Substring

  init(_ path: String) {
    let slash = path.lastIndex(of: "/")
    prefix = slash.map { path[...$0] } ?? ""
    let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
    self.name = String(name)
    folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    // A dot at the beginning hides a file and begins no extension.
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
      (stem, fileExtension) = (String(name), "")
      return
    }
    (stem, fileExtension) = (String(name[..<dot]), name[name.index(after: dot)...].lowercased())
  }

  /// The name of the picture's matte without its extension.
  var matteStem: String { stem + "-matte" }
  /// The file of the picture's matte.
  var mattePath: String { "\(prefix)\(matteStem).png" }

  /// Whether the extension is that of a photo that Atelier reads; nil without an extension.
  var isPhoto: Bool? { fileExtension.isEmpty ? nil : format != nil }

  /// The format that the extension asks for; nil if it asks for none.
  var format: ImageFormat? {
    switch fileExtension {
    case "jpg", "jpeg", "jpe", "jfif": .jpeg
    case "heif": .heic
    default: ImageFormat(rawValue: fileExtension)
    }
  }

  /// The extension, if it is that of pictures that no provider makes.
  var unmadeFormat: String? {
    let others = ["gif", "bmp", "tif", "tiff", "jxl", "jp2", "svg", "pdf", "ico", "psd"]
    return others.contains(fileExtension) ? fileExtension : nil
  }
}
