import AtelierProtocol
import Providers
import Support
import Testing

@testable import Engine

@Suite("The key of a result")
struct ResultKeyTests {
  private static let key = ResultKey(
    account: "anna", provider: "gemini", model: "m-1", recipe: .hairstyle, template: "bob", mode: .single,
    photo: String(repeating: "a", count: 64), references: [String(repeating: "b", count: 64)],
    pictures: [picture(0), picture(1)])

  private static func picture(_ variation: Int) -> ImageRequest {
    ImageRequest(
      recipe: .hairstyle, prompt: "short", style: Style(background: .professional), variation: variation, temperature: 0.8,
      seed: 5,
      aspectRatio: "1:1", size: "1K", timeoutMs: 0)
  }

  private typealias Change = @Sendable (inout ResultKey) -> Void

  private static let changes: [(String, Change)] = [
    ("account", { $0.account = "ben" }), ("provider", { $0.provider = "openai" }), ("model", { $0.model = "m-2" }),
    ("no model", { $0.model = nil }), ("recipe", { $0.recipe = .edit }), ("template", { $0.template = "bun" }),
    ("no template", { $0.template = nil }), ("mode", { $0.mode = .multiAngle }),
    ("photo", { $0.photo = String(repeating: "c", count: 64) }), ("no photo", { $0.photo = nil }),
    ("reference", { $0.references = [String(repeating: "c", count: 64)] }), ("no reference", { $0.references = [] }),
    ("two references", { $0.references += $0.references }),
    ("photo and reference swapped", { (key: inout ResultKey) in
      (key.photo, key.references) = (key.references[0], [key.photo ?? ""])
    }),
    ("prompt", { $0.pictures[1].prompt = "shorter" }), ("no prompt", { $0.pictures[1].prompt = nil }),
    ("empty prompt", { $0.pictures[1].prompt = "" }), ("angle", { $0.pictures[0].style?.angle = .left }),
    ("the front, asked for", { $0.pictures[0].style?.angle = .front }),
    ("background", { $0.pictures[0].style?.background = .casual }), ("no style", { $0.pictures[0].style = nil }),
    ("variation", { $0.pictures[1].variation = 2 }), ("temperature", { $0.pictures[0].temperature = 0.81 }),
    ("no temperature", { $0.pictures[0].temperature = nil }), ("seed", { $0.pictures[0].seed = 6 }),
    ("no seed", { $0.pictures[0].seed = nil }), ("aspect ratio", { $0.pictures[0].aspectRatio = "3:4" }),
    ("size", { $0.pictures[0].size = "2K" }), ("no size", { $0.pictures[0].size = nil }),
    ("a colour", { $0.pictures[0].style?.background = .colour(FlatColour(red: 1, green: 2, blue: 3)) }),
    ("format", { $0.pictures[0].format = .webp }), ("quality", { $0.pictures[0].quality = 80 }),
    ("crop", { $0.pictures[0].crop = .passport }), ("whole frame", { $0.pictures[0].crop = .wholeFrame }),
    ("passport size", { $0.pictures[0].passportSize = .mm51x51 }), ("most bytes", { $0.pictures[0].maximumBytes = 240_000 }),
    ("matte", { $0.pictures[0].wantsMatte = true }),
    ("count", { $0.pictures.removeLast() }), ("none", { $0.pictures = [] }),
  ]

  @Test("the key of a result is another one when anything is that decides what the pictures are")
  func changes() {
    var seen = [Self.key.bytes: "nothing"]
    for (name, change) in Self.changes {
      var key = Self.key
      change(&key)
      #expect(key.bytes.count == 32)
      #expect(seen[key.bytes] == nil, "\(name) gives the key of \(seen[key.bytes] ?? "")")
      seen[key.bytes] = name
    }
  }

  @Test("the key of a result is the same where only what does not decide differs")
  func same() {
    var key = Self.key
    key.pictures[0].timeoutMs = 5
    key.pictures[0].photo = [1]
    #expect(key.bytes == Self.key.bytes)
  }

  @Test("the key of a result never confuses where one field ends and the next begins", arguments: 0..<200 as Range<UInt64>)
  func borders(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let text = (0..<12).map { _ in ["a", "b", "é", "\u{0}", "12"][Int(random.next() % 5)] }.joined()
    var digests: [[UInt8]: [String?]] = [:]
    for _ in 0..<20 {
      // The same characters, cut into fields at other places; some fields are missing.
      var rest = text[...]
      var fields: [String?] = []
      while !rest.isEmpty {
        let count = Int(random.next() % 4)
        fields.append(count == 3 ? nil : String(rest.prefix(count)))
        rest = count == 3 ? rest : rest.dropFirst(count)
        if fields.count > 40 { break }
      }
      var digest = FieldDigest()
      for field in fields { digest.add(field) }
      let bytes = digest.finalized()
      #expect(digests[bytes] == nil || digests[bytes] == fields, "seed \(seed)")
      digests[bytes] = fields
    }
    #expect(digests.count > 1, "seed \(seed)")
  }

  @Test("the key of a result tells a list from the same texts added singly")
  func lists() {
    var list = FieldDigest()
    list.add(["a", "b"])
    var single = FieldDigest()
    single.add("a")
    single.add("b")
    #expect(list.finalized() != single.finalized())
  }
}
