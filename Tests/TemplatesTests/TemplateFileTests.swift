import AtelierProtocol
import Support
import Testing

@testable import Templates

@Suite("A file of templates")
struct TemplateFileTests {
  private func read(_ text: String) throws -> TemplateFile {
    try TemplateFile(Array(text.utf8), name: "own.json", folder: "/templates")
  }

  @Test("a file of templates defines hairstyles with all they have, and retires others by their id alone")
  func whole() throws {
    let file = try read(
      """
      { "templates": [
        { "id": "salon-bob", "name": "Salón bob 💇🏽", "category": "short", "prompt": "A bob.", "tags": ["Ñandú"],
          "popularity": 7, "reference": "pictures/bob.jpg", "thumbnail": "bob-small.webp" },
        { "id": "old", "retired": true }
      ] }
      """)
    #expect(
      file.definitions == [
        TemplateDefinition(
          Template(
            id: "salon-bob", name: "Salón bob 💇🏽", category: .short, prompt: "A bob.", tags: ["Ñandú"], popularity: 7,
            reference: "/templates/pictures/bob.jpg", thumbnail: "/templates/bob-small.webp")),
        TemplateDefinition(Template(id: "old", name: "old", category: .trendy, prompt: ""), isRetired: true),
      ])
    #expect(file.line(of: "reference", at: 0) == 3)
  }

  @Test("a file of templates may begin with a byte order mark, and in another encoding is named as that")
  func encodings() throws {
    let text = "{\"templates\": [\n{\"id\": \"old\", \"retired\": true}]}"
    let marked = try TemplateFile([0xef, 0xbb, 0xbf] + Array(text.utf8), name: "own.json", folder: "/templates")
    #expect(marked.definitions.map(\.template.id) == ["old"])
    #expect(marked.line(of: "id", at: 0) == 2)
    let wide = Array(text.utf16).flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    let fault = try #require(throws: TemplateFault.self) { try TemplateFile(wide, name: "own.json", folder: "/templates") }
    #expect(fault.problem.sentence == "own.json:1: The file is in UTF-16: save it as UTF-8 and try again.")
  }

  @Test(
    "a file of templates with a fault names the line and what is expected there",
    arguments: [
      ("", 1, "ends too early"), ("[]", 1, "must be an object"), ("{}", 1, "/templates is missing"),
      ("{\n\"templates\": [\n{\"id\": \"a\",,}\n]}", 3, "at byte 28"),
      ("{\n\"templates\": {}\n}", 2, "/templates must be an array"),
      ("{\"templates\": [],\n\"version\": 1}", 2, "/version is not a known member"),
      ("{\"templates\": [\n{\"id\":\"ok\",\"retired\":true},\n\n{\"id\": \"Big One\"}]}", 4, "jaw-length-bob"),
      ("{\"templates\": [\n{\"name\": \"A\"}]}", 2, "/templates/0/id is missing"),
      ("{\"templates\": [{\n\"id\": \"a\",\n\"name\": \"A\",\n\"category\": \"shrt\"}]}",
        4, "trendy or beard, not \"shrt\""),
      ("{\"templates\": [\n{\"id\": \"a\", \"name\": \"A\",\n\"category\": \"short\"}]}",
        2, "/templates/0/prompt is missing"),
      ("{\"templates\": [{\"id\": \"a\",\n\"name\": \"\"}]}", 2, "a string of 1 to 80 characters"),
      ("{\"templates\": [{\"id\": \"a\",\"retired\":true},\n{\"retired\":true,\n\"id\": \"a\"}]}",
        3, "earlier template of this file"),
      ("{\"templates\": [{\"id\": \"a\",\n\"nam\\u0065s\": 1}]}", 2, "/templates/0/names is not a known member"),
      ("{\"templates\": [{\"id\": \"a\", \"tags\": [\"x\", {\"]\": \"\\\"}\"}, [1]],\n\"popularity\": -1}]}",
        1, "/templates/0/tags"),
      ("{\"templates\": [{\"id\": \"a\", \"tags\": [\"]\", \"\\\"}\"],\n\"popularity\": -1}]}",
        2, "an integer from 0 to 1000000"),
    ] as [(String, Int, String)])
  func faults(text: String, line: Int, words: String) throws {
    let fault = try #require(throws: TemplateFault.self) { try read(text) }
    #expect(fault.problem.file == "own.json")
    #expect(fault.problem.line == line, "\(fault.problem.sentence)")
    #expect(fault.problem.message.contains(words), "\(fault.problem.message)")
    #expect(fault.problem.message.hasSuffix("."))
    #expect(fault.problem.sentence.hasPrefix("own.json:\(line): "))
  }

  @Test(
    "a file of templates takes no picture from outside its folder",
    arguments: [
      "/etc/passwd", "../bob.jpg", "pictures/../../bob.jpg", "./bob.jpg", "pictures//bob.jpg", "pictures/", "..", "",
      "bob\\u0000.jpg",
    ])
  func outside(path: String) throws {
    for member in ["reference", "thumbnail"] {
      let fault = try #require(throws: TemplateFault.self) {
        try read("{\"templates\": [{\"id\": \"a\",\n\"\(member)\": \"\(path)\"}]}")
      }
      #expect(fault.problem.line == 2)
      #expect(fault.problem.message.contains("inside the folder of the templates"))
    }
  }

  @Test(
    "a file of templates of any bytes is refused with a problem, never anything else", arguments: 0..<300 as Range<UInt64>)
  func damaged(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var bytes = EmbeddedTemplates.bytes(of: .beard)
    for _ in 0...(seed % 4) where !bytes.isEmpty {
      let index = Int(random.next() % UInt64(bytes.count))
      switch random.next() % 3 {
      case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
      case 1: bytes.remove(at: index)
      default: bytes = Array(bytes.prefix(index)) + [UInt8(ascii: "\"")]
      }
    }
    let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
    do throws(TemplateFault) {
      _ = try TemplateFile(bytes, name: "x.json", folder: "")
    } catch {
      #expect((1...lines).contains(error.problem.line ?? 0), "seed \(seed)")
      #expect(!error.problem.message.isEmpty, "seed \(seed)")
    }
  }
}
