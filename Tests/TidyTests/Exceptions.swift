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

  /// A fault for each line of Swift code that has one of the names and stands in no excepted file, and for each exception
  /// that is not needed.
  func faults(in files: [TextFile], naming names: [String], remedy: String, listedIn list: String = #filePath) -> [Fault] {
    let uses = files.flatMap { Self.uses(of: names, in: $0, remedy: remedy) }
    return uses.filter { !cover($0.path) } + unneeded(by: Set(uses.map(\.path)), listedIn: list)
  }

  private static func uses(of names: [String], in file: TextFile, remedy: String) -> [Fault] {
    guard file.kind == "swift", names.contains(where: file.hasLine) else { return [] }
    let code = CodeAndComments(file).code.enumerated()
    return code.filter { names.contains(where: $0.element.includes) }.map { index, _ in
      Fault(path: file.path, line: index + 1, remedy: remedy)
    }
  }

  private static func covers(_ place: String, _ path: String) -> Bool {
    place.hasSuffix("/") ? "/\(path)".contains("/\(place)") : "/\(path)".hasSuffix("/\(place)")
  }
}
