import Testing

/// A document or a comment that names a file leads to one.
struct References {
  let repository: Repository
  /// The names that a path in a text begins with: the folders of the root.
  private let roots: Set<String>
  /// Every end of the path of a code file or document: `Ledger/Ledger.swift` and `Ledger.swift` are enough in a text.
  private let ends: Set<String>
  private let anchors: [String: Set<String>]

  init(repository: Repository) {
    self.repository = repository
    roots = repository.folders.filter { !$0.contains("/") }
    ends = Set(
      repository.files.flatMap { file in
        let names = file.path.split(separator: "/")
        return names.indices.map { names[$0...].joined(separator: "/") }
      })
    let documents = repository.files.filter { $0.kind == "md" }
    anchors = Dictionary(uniqueKeysWithValues: documents.map { ($0.path, Self.anchors(of: $0)) })
  }

  /// Files that are not ours.
  private static let foreignNames: Set<String> = ["GRDB.swift"]

  func faults(in file: TextFile) -> [Fault] {
    if Self.isForeign(file) { return [] }
    let isDocument = file.kind == "md" || ["Makefile", "NOTICE"].contains(file.name)
    let text = isDocument ? file.lines : CodeAndComments(file).comments
    return text.enumerated().flatMap { index, line in
      var remedies: [String] = []
      if file.kind == "md", line.includes("](") { remedies += brokenLinks(in: line, of: file) }
      if line.includes("/") || line.includes(".") { remedies += brokenPaths(in: line, of: file) }
      if line.includes(", decision ") { remedies += missingDecisions(in: line) }
      return remedies.map { Fault(path: file.path, line: index + 1, remedy: $0) }
    }
  }

  private static func isForeign(_ file: TextFile) -> Bool {
    file.path.hasPrefix("Tests/Fixtures/") || file.path.hasSuffix("TidyTests/References.swift")
  }

  // MARK: Links

  private func brokenLinks(in line: String, of file: TextFile) -> [String] {
    line.split(separator: "](", omittingEmptySubsequences: false).dropFirst().compactMap { rest in
      let target = rest.prefix { $0 != ")" && $0 != " " }
      if target.contains(":") || target.isEmpty { return nil }
      let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let path = parts[0].isEmpty ? file.path : Self.resolve(String(parts[0]), in: file)
      guard path == file.path || repository.contains(path) else {
        return "correct the link to \(target): \(path) does not exist"
      }
      guard parts.count == 2, path.hasSuffix(".md") else { return nil }
      let headings = path == file.path ? Self.anchors(of: file) : anchors[path, default: []]
      if headings.contains(String(parts[1])) { return nil }
      return "correct the link to \(target): \(path) has no such heading"
    }
  }

  private static func resolve(_ target: String, in file: TextFile) -> String {
    var names = file.path.split(separator: "/").dropLast()
    for name in target.split(separator: "/") where name != "." {
      if name == ".." { _ = names.popLast() } else { names.append(name) }
    }
    return names.joined(separator: "/")
  }

  /// The names by which GitHub links to the headings of a document.
  private static func anchors(of file: TextFile) -> Set<String> {
    var counts: [String: Int] = [:]
    var anchors: Set<String> = []
    for line in file.lines where line.hasPrefix("#") {
      let title = line.drop { $0 == "#" }.dropFirst().lowercased()
      let name = String(
        title.compactMap { $0 == " " ? "-" : $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" ? $0 : nil })
      let count = counts[name, default: 0]
      counts[name] = count + 1
      anchors.insert(count == 0 ? name : "\(name)-\(count)")
    }
    return anchors
  }

  // MARK: Paths

  private func brokenPaths(in line: String, of file: TextFile) -> [String] {
    Self.tokens(of: line).compactMap { token in
      let names = token.split(separator: "/", omittingEmptySubsequences: false)
      guard let first = names.first, let last = names.last, !Self.foreignNames.contains(String(last)) else { return nil }
      if names.count > 1, roots.contains(String(first)) {
        if repository.contains(token) || repository.contains(Self.resolve(token, in: file)) { return nil }
        return "correct the path: \(token) does not exist"
      }
      guard token.hasSuffix(".swift") || token.hasSuffix(".md"), !token.hasPrefix("."), !token.contains("*") else {
        return nil
      }
      return ends.contains(token) ? nil : "correct the name: there is no \(token)"
    }
  }

  /// What could be a path in a line: letters, digits and the signs of paths, with a slash or a full stop inside, without
  /// the signs of a sentence at the end.
  private static func tokens(of line: String) -> [String] {
    var line = line
    return line.withUTF8 { bytes in
      var tokens: [String] = []
      var index = 0
      while index < bytes.count {
        let start = index
        while index < bytes.count, isPart(bytes[index]) { index += 1 }
        defer { index += 1 }
        // An address, the content of a variable, and a path that goes on with something unknown are not looked at.
        if index - start < 4 || start > 0 && ":$<{@%~\\".utf8.contains(bytes[start - 1]) { continue }
        if index < bytes.count, "<{$\\@%…".utf8.contains(bytes[index]) { continue }
        let token = trimmed(bytes[start..<index])
        if token.contains(UInt8(ascii: "/")) || token.contains(UInt8(ascii: ".")) {
          tokens.append(String(decoding: token, as: UTF8.self))
        }
      }
      return tokens
    }
  }

  /// Without the asterisks of emphasis, and what ends a sentence.
  private static func trimmed(_ token: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>> {
    var token = token
    let isEmphasised = token.first == UInt8(ascii: "*")
    while token.first == UInt8(ascii: "*") { token.removeFirst() }
    while let last = token.last, ".-+/".utf8.contains(last) || isEmphasised && last == UInt8(ascii: "*") {
      token.removeLast()
    }
    return token
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "_-+./*".utf8.contains(byte)
    }
  }

  // MARK: Decisions

  /// “ARCHITECTURE, decision 6” is the sixth point of a list in ARCHITECTURE.md.
  private func missingDecisions(in line: String) -> [String] {
    line.ranges(of: ", decision ").compactMap { range in
      let name = String(line[..<range.lowerBound].reversed().prefix { $0.isLetter || "._".contains($0) }.reversed())
      let number = line[range.upperBound...].prefix(while: \.isNumber)
      let document = name.hasSuffix(".md") ? name : "\(name).md"
      if number.isEmpty || name.isEmpty { return nil }
      let isThere = repository.files.contains { $0.name == document && $0.lines.contains { $0.hasPrefix("\(number). ") } }
      return isThere ? nil : "correct the reference: no \(document) has a decision \(number)"
    }
  }
}

@Suite("References")
struct ReferencesTests {
  @Test("references to files and documents lead somewhere")
  func repository() {
    let references = References(repository: .current)
    expectNone(Repository.current.files.flatMap(references.faults))
  }

  @Test("a reference that leads nowhere is found, and one that leads somewhere is not", arguments: [
    ("docs/a.md", "[a](../README.md) [b](https://example.com/none.md)", 0), ("docs/a.md", "[a](README.md)", 1),
    ("a.md", "See `docs/none.md` and Sources/None/.", 2), ("a.md", "See `Package.swift`, docs/*.md, README.md.", 0),
    ("a.md", "[a](#heading)", 1), ("Sources/A/B.swift", "// See README.md and None.swift.", 1),
    ("Sources/A/B.swift", #"let path = "docs/none.md""#, 0), ("Sources/A/B.swift", "/// NONE, decision 6", 1),
    ("scripts/a.sh", "# scripts/none.sh", 1), ("a.md", "https://example.com/docs/none.md", 0),
    ("a.md", "**docs/none.md**, *README.md*.", 1),
  ])
  func examples(path: String, line: String, count: Int) {
    let faults = References(repository: .current).faults(in: TextFile(path: path, lines: [line]))
    #expect(faults.count == count, "\(faults)")
  }

  @Test("a heading is linked to by its words")
  func headings() {
    let lines = ["# A heading: `one/two`", "[a](#a-heading-onetwo) [b](#a-heading)"]
    #expect(References(repository: .current).faults(in: TextFile(path: "a.md", lines: lines)).count == 1)
  }
}
