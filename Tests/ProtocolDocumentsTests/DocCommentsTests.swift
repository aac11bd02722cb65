import JSON
import Testing

@testable import ProtocolDocuments

@Suite("Doc comments")
struct DocCommentsTests {
  private static func symbol(
    _ path: [String], kind: String = "swift.struct", _ comment: [String] = [], type: String? = nil
  ) -> JSONValue {
    let fragments: [JSONValue] = type.map { [["kind": "typeIdentifier", "preciseIdentifier": .string($0)]] } ?? []
    return [
      "identifier": ["precise": .string(path.joined(separator: "."))], "kind": ["identifier": .string(kind)],
      "pathComponents": .array(path.map(JSONValue.string)), "declarationFragments": .array(fragments),
      "docComment": comment.isEmpty ? nil : ["lines": .array(comment.map { ["text": .string($0)] })],
    ]
  }

  private static func property(_ path: [String], _ comment: [String] = [], type: String? = nil) -> JSONValue {
    symbol(path, kind: "swift.property", comment, type: type)
  }

  private let comments = DocComments(
    symbolGraph: [
      "symbols": [
        symbol(["Cancel"], ["Ends it.", "", "At once,", " see ``Target/id``.", "", "- Note: hidden"]),
        property(["Cancel", "`private`"], ["Alone."]),
        property(["Cancel", "target"], ["What to end."], type: "Target"), symbol(["Target"]),
        symbol(["Target", "CodingKeys", "id"], kind: "swift.enum.case", ["The id."]),
        symbol(["Cancel", "CodingKeys", "account"], kind: "swift.enum.case", ["Whose."]),
      ]
    ])

  @Test("doc comments are read a paragraph at a time, without lists, with links as code")
  func paragraphs() {
    #expect(comments.paragraphs("Cancel") == ["Ends it.", "At once, see `Target/id`."])
    #expect(comments.text("Cancel") == "Ends it. At once, see `Target/id`.")
    #expect(comments.paragraphs("Target") == nil)
  }

  @Test("doc comments of a member are those of the property, its coding key, or the type that is decoded in line")
  func members() {
    let members = ["private", "id", "account"]
    #expect(comments.text(ofMember: "private", in: "Cancel", members: members) == "Alone.")
    #expect(comments.text(ofMember: "account", in: "Cancel", members: members) == "Whose.")
    #expect(comments.text(ofMember: "id", in: "Cancel", members: members) == "The id.")
    #expect(comments.text(ofMember: "id", in: "Cancel", members: members + ["target"]) == nil)
    #expect(comments.text(ofMember: "other", in: "Cancel", members: members) == nil)
  }
}
