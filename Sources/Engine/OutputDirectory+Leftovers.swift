import AtelierProtocol
import Glibc
import JSONRPC
import Store

extension OutputDirectory {
  /// What the names of a generation's copies begin with; nobody else's do.
  static func stem(of recipe: Recipe, _ id: GenerationID) -> String { "\(recipe.rawValue)-\(id.rawValue)" }

  /// Removes what a process that died had put into hosts' folders for generations it did not bring to their end.
  /// What cannot be removed stays: the folder is the host's.
  static func removeLeftovers(of rows: [GenerationRow]) async {
    let places = rows.compactMap { row in
      row.request["output"]?["directory"]?.string.map { (path: $0, stem: stem(of: row.recipe, row.id)) }
    }
    guard !places.isEmpty else { return }
    try? await DedicatedThread.run {
      for place in places {
        for name in names(in: place.path) where isCopy(name, stem: place.stem) { unlink("\(place.path)/\(name)") }
      }
    }
  }

  private static func isCopy(_ name: String, stem: String) -> Bool {
    if name.hasPrefix(".\(stem)") { return name.hasSuffix(".partial") }
    return name.hasPrefix("\(stem).") || name.hasPrefix("\(stem)-")
  }

  private static func names(in path: String) -> [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        // `d_name` ends with a zero byte within its 256 (readdir(3)).
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { names.append(String(cString: $0)) }
      }
    }
    return names
  }
}
