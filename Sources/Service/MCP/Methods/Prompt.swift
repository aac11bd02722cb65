import AtelierProtocol
import JSON
import JSONRPC

/// A prompt that people choose from their host's menu.
struct Prompt: Sendable {
  struct Argument: Sendable {
    var name: String
    var description: String
    var isRequired = true
  }

  let name: String
  let title: String
  let description: String
  let arguments: [Argument]
  /// The message to the model.
  let text: @Sendable (_ values: [String: String]) -> String

  static let all = [
    Prompt(
      name: "headshot", title: "Professional headshot", description: "Makes a professional portrait from a photo.",
      arguments: [
        Argument(name: "photo", description: "The path of the photo."),
        Argument(
          name: "background", description: "auto, professional, casual, white, transparent, or a colour such as #1e90ff",
          isRequired: false),
      ],
      text: { values in
        "Make a headshot of \(values["photo"] ?? "") with make_headshot, "
          + "background \(values["background"] ?? Background.usual.text). "
          + "Tell me where the file is, and what could be better about my photo."
      }),
    Prompt(
      name: "hairstyle_try_on", title: "Try a hairstyle", description: "Shows a person with another hairstyle.",
      arguments: [
        Argument(name: "photo", description: "The path of the photo."),
        Argument(name: "hairstyle", description: "The id of a hairstyle, or a description."),
      ],
      text: { values in
        "Show the person of \(values["photo"] ?? "") with this hairstyle: \(values["hairstyle"] ?? ""). Look for it with "
          + "list_hairstyles first; if there is none, describe it to change_hairstyle in description. Then tell me where "
          + "the file is and offer to refine it with edit_photo."
      }),
    Prompt(
      name: "compare", title: "Compare two pictures", description: "Compares two results and helps to choose.",
      arguments: [
        Argument(name: "first", description: "The id of a generation."),
        Argument(name: "second", description: "The id of another generation."),
      ],
      text: { values in
        "Look at the generations \(values["first"] ?? "") and \(values["second"] ?? "") with show_picture. Compare "
          + "likeness, light and background, and say which one you would use and why."
      }),
  ]

  /// The longest value of an argument, in bytes.
  private static let longestValue = 16_384

  /// `prompts/get`.
  static func get(_ call: Call) throws -> JSONObject {
    guard let name = call.params["name"]?.string, let prompt = all.first(where: { $0.name == name }) else {
      throw ResponseError.malformed("There is no such prompt. Choose one of: \(all.map(\.name).joined(separator: ", ")).")
    }
    var values: [String: String] = [:]
    for argument in prompt.arguments {
      let given = call.params["arguments"]?[argument.name]?.string
      let value = given?.meansNothing == true ? nil : given
      if argument.isRequired, value == nil {
        throw ResponseError.malformed("The prompt \(name) needs the argument \(argument.name): \(argument.description)")
      }
      guard value?.utf8.count ?? 0 <= longestValue else {
        throw ResponseError.malformed("The argument \(argument.name) is too long.")
      }
      values[argument.name] = value
    }
    return [
      "description": .string(prompt.description),
      "messages": [["role": "user", "content": ["type": "text", "text": .string(prompt.text(values))]]],
    ]
  }

  var json: JSONValue {
    [
      "name": .string(name), "title": .string(title), "description": .string(description),
      "arguments": .array(
        arguments.map {
          ["name": .string($0.name), "description": .string($0.description), "required": .bool($0.isRequired)]
        }),
    ]
  }
}
