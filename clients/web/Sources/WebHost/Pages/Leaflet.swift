import POSIX

/// The library that draws maps, where Debian's package `libjs-leaflet` has put it.
struct Leaflet: Sendable {
  /// By their paths in its folder.
  let files: [String: StaticFile]

  var isInstalled: Bool { !files.isEmpty }

  private static let names = [
    "leaflet.js", "leaflet.css", "images/layers.png", "images/layers-2x.png", "images/marker-icon.png",
    "images/marker-icon-2x.png", "images/marker-shadow.png",
  ]

  /// - Parameter directory: the folder; without the library in it, places are shown as a list only.
  init(in directory: String) {
    var files: [String: StaticFile] = [:]
    for name in Self.names {
      // The one for browsers is a third of the other.
      let small = name.replacing(".js", with: ".min.js")
      // In Debian, some are links.
      for file in [small, name] where files[name] == nil {
        guard let path = try? FileSystem.resolved("\(directory)/\(file)"), let bytes = try? FileSystem.read(path) else {
          continue
        }
        files[name] = StaticFile(bytes, named: name)
      }
    }
    self.files = files["leaflet.js"] == nil || files["leaflet.css"] == nil ? [:] : files
  }
}
