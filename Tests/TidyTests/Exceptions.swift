/// The files in which something may stand that is refused elsewhere, each with the reason.
///
/// A file is given from the folder of its module on, so that moving a module changes nothing; `Module/Folder/` means
/// all files below it.
struct Exceptions {
  let reasons: KeyValuePairs<String, String>

  func cover(_ path: String) -> Bool { reasons.contains { Self.covers($0.key, path) } }

  /// A fault for each exception that none of these files needs any more.
  func unneeded(by paths: some Collection<String>, listedIn file: String = #filePath) -> [Fault] {
    reasons.filter { reason in !paths.contains { Self.covers(reason.key, $0) } }.map { reason in
      let list = file.split(separator: "/").suffix(3).joined(separator: "/")
      return Fault(path: list, line: 0, remedy: "remove the exception for \(reason.key): nothing there needs it")
    }
  }

  private static func covers(_ place: String, _ path: String) -> Bool {
    place.hasSuffix("/") ? "/\(path)".contains("/\(place)") : "/\(path)".hasSuffix("/\(place)")
  }
}
