import Testing

/// Whether a host is this machine is asked of `HostAddress` only: a text that begins with 127 may be anybody's name.
enum Hosts {
  private static let exceptions = Exceptions(reasons: [
    "Encodings/HostAddress.swift": "the answer to all these questions",
    "GeminiSimulator/GeminiSimulator.swift": "where it listens",
    "WebHost/Configuration/ConfigurationFile.swift": "where it listens, and whose proxies are believed, by default",
    "WebHost/WebHost.swift": "where it listens, and by which names browsers come",
  ])

  private static let names = ["inet_pton", "inet_addr", "\"localhost", "\"127.", "\"::1", "\"[::1]"]

  static func faults(in files: [TextFile]) -> [Fault] {
    let uses = files.filter { $0.kind == "swift" }.flatMap { file in
      file.lines.enumerated().filter { line in
        !line.element.drop { $0 == " " }.hasPrefix("//") && names.contains(where: line.element.includes)
      }.map { Fault(path: file.path, line: $0.offset + 1, remedy: "ask HostAddress whether a host is this machine") }
    }
    return uses.filter { !exceptions.cover($0.path) } + exceptions.unneeded(by: Set(uses.map(\.path)), listedIn: #filePath)
  }
}

@Suite("Hosts")
struct HostsTests {
  @Test("the question whether a host is this machine is asked in one place")
  func repository() {
    expectNone(Hosts.faults(in: Repository.current.sources))
  }

  @Test("a question about a host in another file is a fault", arguments: [
    (#"if host == "localhost" {}"#, 1), (#"if host.hasPrefix("127.") {}"#, 1), ("inet_pton(AF_INET, text, &four)", 1),
    (#"[ "[::1]:\(port)" ]"#, 1), (#"/// Not "localhost"."#, 0), ("HostAddress(host).isLoopback", 0),
  ])
  func examples(line: String, count: Int) {
    let file = TextFile(path: "Sources/A/B.swift", lines: [line])
    #expect(Hosts.faults(in: [file]).count { $0.path == file.path } == count)
  }
}
