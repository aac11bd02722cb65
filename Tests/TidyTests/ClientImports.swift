import Testing

/// Hosts build the client from its sources: it needs nothing of the service, and no other package.
enum ClientImports {
  private static let folder = "clients/swift/Sources/"
  private static let allowed: Set<Substring> = [
    "AtelierProtocol", "Encodings", "JSON", "JSONRPC", "Localization", "POSIX", "PictureFiles", "Darwin", "Glibc",
    "Synchronization",
  ]

  static func faults(in file: TextFile) -> [Fault] {
    guard file.path.hasPrefix(folder), file.kind == "swift" else { return [] }
    return file.lines.enumerated().compactMap { index, line in
      let words = line.split(separator: " ")
      guard let place = words.firstIndex(of: "import"), words[..<place].allSatisfy({ $0.hasPrefix("@") }),
        let module = words.last, !allowed.contains(module)
      else { return nil }
      return Fault(
        path: file.path, line: index + 1, remedy: "do without \(module): the client imports the protocol and the base only")
    }
  }
}

@Suite("Imports of the client")
struct ClientImportsTests {
  @Test("the client imports only the protocol and what is below it")
  func repository() {
    expectNone(Repository.current.files.flatMap(ClientImports.faults))
  }

  @Test("an import of the service is found", arguments: [
    ("clients/swift/Sources/A/B.swift", "import Engine", 1), ("clients/swift/Sources/A/B.swift", "import JSON", 0),
    ("clients/swift/Sources/A/B.swift", "@_exported import Store", 1), ("clients/swift/Tests/A/B.swift", "import Engine", 0),
    ("clients/swift/Sources/A/B.swift", "// import Engine", 0), ("clients/swift/Sources/A/B.swift", "  import Glibc", 0),
  ])
  func examples(path: String, line: String, count: Int) {
    #expect(ClientImports.faults(in: TextFile(path: path, lines: [line])).count == count)
  }
}
