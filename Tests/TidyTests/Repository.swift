import Foundation
import Testing

/// The files of the repository that these tests belong to. The environment variable `TIDY_ROOT` names another one.
struct Repository: Sendable {
  static let current = Repository(
    root: ProcessInfo.processInfo.environment["TIDY_ROOT"] ?? ancestor(of: #filePath, generations: 3))

  let root: String
  /// The paths of all files, relative to the root: those that git tracks, or without git all but builds.
  let paths: [String]
  /// The code and the documents among them, with their text.
  let files: [TextFile]
  /// Every folder that one of the files is in.
  let folders: Set<String>

  init(root: String) {
    self.root = root
    paths = (Self.trackedPaths(in: root) ?? Self.walk(root)).sorted()
    files = paths.filter(TextFile.isCodeOrDocument).compactMap { TextFile(root: root, path: $0) }
    folders = Set(paths.flatMap(Self.folders(of:)))
  }

  var sources: [TextFile] {
    files(below: ["Sources/", "clients/swift/Sources/", "clients/swift/Examples/", "clients/web/Sources/"])
  }
  var tests: [TextFile] { files(below: ["Tests/", "clients/swift/Tests/", "clients/web/tests/"]) }

  private func files(below folders: [String]) -> [TextFile] {
    files.filter { file in folders.contains { file.path.hasPrefix($0) } }
  }

  /// Whether a file or a folder has this path; a `*` stands for any part of a name.
  func contains(_ path: String) -> Bool {
    let path = path.hasSuffix("/") ? String(path.dropLast()) : path
    if path.contains("*") { return paths.contains { Self.matches($0.split(separator: "/"), path.split(separator: "/")) } }
    return folders.contains(path) || FileManager.default.fileExists(atPath: "\(root)/\(path)")
  }

  private static func matches(_ path: [Substring], _ pattern: [Substring]) -> Bool {
    guard path.count >= pattern.count else { return false }
    return zip(path, pattern).allSatisfy { name, pattern in
      let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
      guard let first = parts.first, let last = parts.last, parts.count == 2 else { return name == pattern }
      return name.count >= pattern.count - 1 && name.hasPrefix(first) && name.hasSuffix(last)
    }
  }

  private static func ancestor(of path: String, generations: Int) -> String {
    path.split(separator: "/").dropLast(generations).reduce("") { "\($0)/\($1)" }
  }

  private static func folders(of path: String) -> [String] {
    let names = path.split(separator: "/").dropLast()
    return names.indices.map { names[...$0].joined(separator: "/") }
  }

  private static func trackedPaths(in root: String) -> [String]? {
    let git = Process()
    git.executableURL = URL(filePath: "/usr/bin/env")
    git.arguments = ["git", "-C", root, "ls-files", "-z"]
    let output = Pipe()
    git.standardOutput = output
    git.standardError = FileHandle.nullDevice
    guard (try? git.run()) != nil, let listing = try? output.fileHandleForReading.readToEnd() else { return nil }
    git.waitUntilExit()
    guard git.terminationStatus == 0 else { return nil }
    let names = listing.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    // A file that was moved or deleted is tracked until that is committed.
    return names.filter { FileManager.default.fileExists(atPath: "\(root)/\($0)") }
  }

  private static func walk(_ root: String) -> [String] {
    guard let walk = FileManager.default.enumerator(atPath: root) else { return [] }
    var paths: [String] = []
    for case let path as String in walk {
      let name = path.split(separator: "/").last ?? ""
      if name.hasPrefix(".build") || [".git", "__pycache__", "node_modules"].contains(name) {
        walk.skipDescendants()
      } else if walk.fileAttributes?[.type] as? FileAttributeType == .typeRegular {
        paths.append(path)
      }
    }
    return paths
  }
}

/// The text of one file, line by line.
struct TextFile: Sendable {
  let path: String
  let name: String
  /// What follows the last full stop of the name; empty without one.
  let kind: String
  /// Without the characters that end them; the first one is line 1.
  let lines: [String]

  init(path: String, lines: [String]) {
    self.path = path
    self.lines = lines
    name = String(path.split(separator: "/").last ?? "")
    kind = name.contains(".") ? String(name.split(separator: ".").last ?? "") : ""
  }

  /// - Returns: nil when the file is not text in UTF-8.
  init?(root: String, path: String) {
    guard let data = FileManager.default.contents(atPath: "\(root)/\(path)") else { return nil }
    var lines: [String] = []
    for line in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      guard let line = String(validating: line, as: UTF8.self) else { return nil }
      lines.append(line)
    }
    if lines.last == "" { lines.removeLast() }
    self.init(path: path, lines: lines)
  }

  func hasLine(with part: String) -> Bool { lines.contains { $0.includes(part) } }

  static func isCodeOrDocument(_ path: String) -> Bool {
    let file = TextFile(path: path, lines: [])
    return ["swift", "md", "sh", "py", "js", "ts", "c", "h", "S", "modulemap"].contains(file.kind)
      || ["Makefile", "NOTICE", "run"].contains(file.name)
  }
}

extension String {
  /// Whether the bytes of `part` stand in these. Much faster than `contains`, which compares by the rules of Unicode.
  func includes(_ part: String) -> Bool {
    var (text, part) = (self, part)
    return text.withUTF8 { text in
      part.withUTF8 { part in
        guard let base = text.baseAddress, let sought = part.baseAddress else { return part.isEmpty }
        var start = 0
        while start + part.count <= text.count {
          let count = text.count - part.count - start + 1
          guard let found = memchr(base + start, Int32(sought.pointee), count) else { return false }
          if memcmp(found, sought, part.count) == 0 { return true }
          start = UnsafeRawPointer(found) - UnsafeRawPointer(base) + 1
        }
        return false
      }
    }
  }
}

/// One place that breaks a rule.
struct Fault: CustomStringConvertible, Equatable {
  let path: String
  /// 0 for the file as a whole.
  let line: Int
  /// A sentence that says how to mend it.
  let remedy: String

  var description: String { line == 0 ? "\(path): \(remedy)" : "\(path):\(line): \(remedy)" }
}

/// Fails once for each fault.
func expectNone(_ faults: [Fault], sourceLocation: SourceLocation = #_sourceLocation) {
  for fault in faults { Issue.record(Comment(rawValue: fault.description), sourceLocation: sourceLocation) }
}

@Suite("The repository")
struct RepositoryTests {
  @Test("the files that the rules are for are found and read")
  func files() {
    let paths = Set(Repository.current.files.map(\.path))
    #expect(paths.isSuperset(of: ["Package.swift", "README.md", "Makefile"]))
    #expect(Repository.current.sources.count > 100 && Repository.current.tests.count > 100)
  }

  @Test("a path with an asterisk is found where one file fits", arguments: [
    ("docs/*.md", true), ("docs/*.swift", false), ("docs", true), ("docs/", true), ("docs/none.md", false),
  ])
  func asterisks(path: String, isThere: Bool) {
    #expect(Repository.current.contains(path) == isThere)
  }
}
