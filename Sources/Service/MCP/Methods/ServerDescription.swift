import AtelierProtocol
import JSON

/// How the server introduces itself.
enum ServerDescription {
  static let info: JSONValue = [
    "name": "atelier", "title": "Atelier", "version": .string(Version.current),
  ]

  /// For the model, beside the descriptions of the tools.
  private static let instructions = """
    Atelier makes pictures of people: headshots, hairstyle try-ons, edits of photos, \
    and new pictures. It also finds places that exist.
    Photos are named by an absolute path on this computer, by a generation id, or by an atelier:// address of an earlier \
    picture. Files attached to the chat do not reach Atelier: ask for the path of the file.
    Headshots are made on this computer. The other tools send the photo or the words to a provider that needs an API key.
    A picture takes up to a minute. If a tool answers “still working”, \
    call get_generation; never start the same picture again.
    Tell the person the path of the finished file. A picture in an answer is only a small preview.
    """

  static let discovered: JSONObject = [
    "supportedVersions": [.string(Era.modernVersion)],
    "capabilities": [
      "tools": [:], "resources": [:], "prompts": [:], "completions": [:],
      "extensions": [ClientCapabilities.tasksExtension: [:]],
    ],
    "instructions": .string(instructions),
  ]

  static func initialized(_ version: LegacyVersion) -> JSONObject {
    [
      "protocolVersion": .string(version.rawValue),
      "capabilities": ["tools": [:], "resources": [:], "prompts": [:], "completions": [:]],
      "serverInfo": info, "instructions": .string(instructions),
    ]
  }
}

extension JSONValue {
  static func integer(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
}
