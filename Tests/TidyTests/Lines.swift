import Testing

/// Lines fit into a window beside another one.
enum Lines {
  static let mostColumns = 125

  static func faults(in file: TextFile) -> [Fault] {
    guard isInScope(file) else { return [] }
    let isDocument = file.kind == "md"
    var faults: [Fault] = []
    var isGenerated = false
    for (index, line) in file.lines.enumerated() {
      if isDocument, line.hasPrefix("<!-- ") { isGenerated = line.hasPrefix("<!-- generated:") }
      // Counting characters is slow, and none has less than a byte.
      guard !isGenerated, line.utf8.count > mostColumns, line.count > mostColumns, !isUnbreakable(line, isDocument) else {
        continue
      }
      let remedy = "break the line: it has \(line.count) columns, and \(mostColumns) are the most"
      faults.append(Fault(path: file.path, line: index + 1, remedy: remedy))
    }
    return faults
  }

  private static func isInScope(_ file: TextFile) -> Bool {
    ["swift", "md", "sh", "py", "js", "ts", "c", "h"].contains(file.kind) && !file.path.hasPrefix("Tests/Fixtures/")
      && !file.lines.prefix(3).contains { $0.includes("do not edit") }
  }

  private static func isUnbreakable(_ line: String, _ isDocument: Bool) -> Bool {
    let text = line.drop { $0 == " " }
    // A message is one line on the wire, and in what shows it; a raw string that holds one cannot be broken.
    if text.hasPrefix("--> {") || text.hasPrefix("<-- {") || text.hasPrefix("#\"") { return true }
    if isDocument, text.hasPrefix("|") || text.hasPrefix("{\"") { return true }
    // An address cannot be broken; what stands around it can.
    return line.split(separator: " ").contains { $0.contains("://") && $0.count + 8 > mostColumns }
  }
}

@Suite("Lines")
struct LinesTests {
  @Test("lines are short enough")
  func repository() {
    expectNone(Repository.current.files.flatMap(Lines.faults))
  }

  @Test("a line of 126 columns is found, unless nothing can break it", arguments: [
    ("a.swift", 126, "", true), ("a.swift", 125, "", false), ("a.swift", 126, "é", true), ("a.swift", 125, "é", false),
    ("a.md", 126, "| ", false), ("a.md", 126, "--> {", false), ("a.md", 126, "https://", false), ("a.json", 126, "", false),
    ("Tests/Fixtures/a.py", 126, "", false), ("a.swift", 126, "  #\"{", false), ("a.swift", 126, "  \"", true),
  ])
  func examples(path: String, columns: Int, start: String, isFault: Bool) {
    let line = start + String(repeating: "a", count: columns - start.count)
    #expect(Lines.faults(in: TextFile(path: path, lines: ["", line])).map(\.line) == (isFault ? [2] : []))
  }

  @Test("a block that is generated, and a file, are not looked at")
  func generated() {
    let long = String(repeating: "a", count: 200)
    let block = TextFile(path: "a.md", lines: ["<!-- generated: x -->", long, "<!-- end -->", long])
    #expect(Lines.faults(in: block).map(\.line) == [4])
    #expect(Lines.faults(in: TextFile(path: "a.ts", lines: ["// Written by a program; do not edit.", long])).isEmpty)
  }
}
