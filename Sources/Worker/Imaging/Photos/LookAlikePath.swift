import Glibc
import POSIX

/// Finds the file that a path means when a name in it only looks like the file's: names are copied through programs
/// that exchange a narrow no-break space for a space, an accented letter for its two parts, a curly apostrophe for a
/// straight one.
enum LookAlikePath {
  /// More are not told apart by anybody.
  private static let mostPaths = 8

  /// The existing paths whose names look the same, none if the names differ visibly. Blocks.
  static func paths(like path: String) -> [String] {
    let names = path.split(separator: "/").map(String.init)
    var found = [path.hasPrefix("/") ? "" : "."]
    for name in names {
      var next: [String] = []
      for folder in found {
        if exists("\(folder)/\(name)") {
          next.append("\(folder)/\(name)")
        } else {
          let wanted = folded(name)
          let entries = (try? FileSystem.names(in: folder.isEmpty ? "/" : folder)) ?? []
          next += entries.filter { folded($0) == wanted }.map { "\(folder)/\($0)" }
        }
      }
      if next.isEmpty { return [] }
      found = Array(next.prefix(mostPaths))
    }
    return names.isEmpty ? [] : found
  }

  private static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// The name with one spelling of each kind of space, apostrophe and dash, and without invisible characters and outer
  /// blanks. Strings are compared by canonical equivalence, so that composed and decomposed letters are the same.
  static func folded(_ name: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      switch (scalar, scalar.properties.generalCategory) {
      case ("\u{2018}", _), ("\u{2019}", _), ("\u{02BC}", _): scalars.append("'")
      case ("\u{2010}"..."\u{2015}", _), ("\u{2212}", _): scalars.append("-")
      case (_, .spaceSeparator), (_, .lineSeparator), (_, .control): scalars.append(" ")
      case (_, .format): break
      default: scalars.append(scalar)
      }
    }
    var text = String(scalars)[...]
    while text.first == " " { text = text.dropFirst() }
    while text.last == " " { text = text.dropLast() }
    return String(text)
  }
}
