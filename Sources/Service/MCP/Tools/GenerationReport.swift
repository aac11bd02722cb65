import AtelierProtocol
import Encodings
import Engine
import JSON

/// A generation as the tools answer it: a sentence with the paths, or a list of places, and the same in members. No bytes.
struct GenerationReport: Sendable {
  /// The longest side of a preview, in pixels, and its largest size in bytes: hosts copy pictures into the conversation.
  static let previewSide = 768
  static let previewBytes = 150_000
  /// Of several pictures each preview is smaller, because hosts refuse results of more than a million characters.
  static let severalPreviewsSide = 512

  private let generation: Generation
  private let checkAfterSeconds: Int

  init(_ generation: Generation) {
    self.generation = generation
    let seconds = (generation.progress?.etaMs ?? 10_000) / 1_000
    checkAfterSeconds = Int(min(max(seconds, 2), 30))
  }

  /// The answer without previews. The failure of a generation that ended without a result is an error.
  var answer: ToolAnswer {
    if let error = generation.error, !generation.hasResult {
      return ToolAnswer(text: ToolSentence(error).text, isError: true)
    }
    return ToolAnswer(parts, structured: structured)
  }

  private var parts: [ToolAnswer.Part] {
    guard generation.state.isFinal else {
      return [
        .said(
          """
          Still working on \(generation.generationId.rawValue) (\(generation.progress?.message.text ?? "waiting")). Call \
          get_generation with this id in \(checkAfterSeconds) seconds. Do not start another one.
          """)
      ]
    }
    if generation.state == .cancelled {
      return [.said("The generation \(generation.generationId.rawValue) was cancelled. Nothing was charged.")]
    }
    if generation.recipe == .places { return placeList }
    if generation.handsOver { return handedOver }
    let maker = generation.provider == .ondevice ? "on this computer" : "by \(generation.provider?.rawValue ?? "a provider")"
    let paths = generation.images.map { image in
      Self.place(of: image, of: generation) + (image.matte?.path.map { " (matte: \($0))" } ?? "")
    }
    let subject = paths.count == 1 ? "The picture, made \(maker), is" : "The \(paths.count) pictures, made \(maker), are"
    let notes = generation.warnings.map(\.message.text) + generation.failures.map {
      "Picture \($0.index) is missing: \(ToolSentence($0.error).text)"
    }
    return ([subject + " saved: " + paths.joined(separator: ", ")] + notes).map { .said($0) }
  }

  /// What was made and could not be stored: its previews are all that the model gets of it.
  private var handedOver: [ToolAnswer.Part] {
    let copies = generation.images.compactMap(\.path).map { "A copy is at \($0)." }
    let reason = generation.error.map { ToolSentence($0).text }
    return (["What was made could not be stored, and can be seen in this answer only."] + [reason].compactMap(\.self)
      + copies + ["Do not start it again before whoever runs Atelier has mended that."]).map { .said($0) }
  }

  /// Where a picture is: its file, or the address under which it can be read where this machine has no file of it.
  static func place(of image: GeneratedImage, of generation: Generation) -> String {
    if let path = image.path { return path }
    if generation.private == true { return "a picture that is not kept as a file" }
    return PictureAddress(generation.generationId, image.index).text
  }

  /// The places of a finished generation, one on each line.
  private var placeList: [ToolAnswer.Part] {
    let places = generation.places ?? []
    if places.isEmpty { return [.said("\(generation.generationId.rawValue) was private: its places are not kept.")] }
    let lines = places.enumerated().map { position, place in
      "\(position + 1). \([place.name, place.address].filter { !$0.isEmpty }.joined(separator: ", ")) "
        + "(\(place.source.rawValue))"
    }
    var notes = generation.warnings.map(\.message.text) + generation.failures.map {
      "The list is not complete: \(ToolSentence($0.error).text)"
    }
    if let dropped = generation.dropped, dropped.count > 0 {
      notes.append("\(dropped.count) could not be verified and were left out: \(dropped.names.joined(separator: "; "))")
    }
    let count = places.count == 1 ? "One place, which a lookup" : "\(places.count) places, each of which a lookup"
    return [.said("\(count) has confirmed:")] + lines.map { .listed($0) } + notes.map { .said($0) }
  }

  /// `working` until the end, then the state of the generation.
  static func state(of generation: Generation) -> String {
    generation.state.isFinal ? generation.state.rawValue : "working"
  }

  /// What was asked for, in a few words.
  static func title(of generation: Generation) -> String {
    let what = generation.style?.name ?? generation.templateId ?? generation.prompt.map { String($0.prefix(60)) }
    return generation.recipe.rawValue + (what.map { ", \($0)" } ?? "")
  }

  var structured: JSONObject {
    var members: JSONObject = [
      "generationId": .string(generation.generationId.rawValue), "state": .string(Self.state(of: generation)),
      "title": .string(Self.title(of: generation)),
    ]
    if generation.recipe == .places {
      members["places"] = .array((generation.places ?? []).map { .object($0.flat) })
      members["dropped"] = generation.dropped.map { dropped in
        ["count": .integer(dropped.count), "names": .array(dropped.names.map(JSONValue.string))]
      }
    } else {
      members["pictures"] = .array(generation.images.map(picture))
    }
    members["provider"] = generation.provider.map { .string($0.rawValue) }
    if !generation.state.isFinal { members["checkAfterSeconds"] = .integer(checkAfterSeconds) }
    if generation.state.isFinal, generation.credits.balanceAfter != nil {
      members["creditsCharged"] = .integer(generation.credits.charged)
    }
    return members
  }

  private func picture(_ image: GeneratedImage) -> JSONValue {
    var picture: JSONObject = [
      "index": .integer(image.index), "uri": .string(PictureAddress(generation.generationId, image.index).text),
      "mimeType": .string(image.mimeType), "width": .integer(image.width), "height": .integer(image.height),
      "bytes": .integer(image.bytes),
    ]
    picture["path"] = image.path.map(JSONValue.string)
    picture["mattePath"] = image.matte?.path.map(JSONValue.string)
    return .object(picture)
  }

  static let members: JSONObject = [
    "generationId": ["type": "string"],
    "state": [
      "type": "string", "enum": ["working", "succeeded", "partial", "failed", "cancelled", "interrupted", "expired"],
      "description": "working: call get_generation. partial: some of the pictures or places are missing.",
    ],
    "title": ["type": "string", "description": "What was asked for, in a few words."],
    "pictures": [
      "type": "array",
      "items": [
        "type": "object",
        "properties": [
          "index": ["type": "integer"], "path": ["type": "string", "description": "The file, with all its pixels."],
          "mattePath": ["type": "string", "description": "The file of the matte, if there is one."],
          "uri": ["type": "string"], "mimeType": ["type": "string"], "width": ["type": "integer"],
          "height": ["type": "integer"], "bytes": ["type": "integer"],
        ], "required": ["index", "uri", "mimeType", "width", "height", "bytes"],
      ],
    ],
    "places": ["type": "array", "items": Place.schema],
    "dropped": [
      "type": "object", "description": "What was named and no lookup confirmed. Do not present it as places that exist.",
      "properties": ["count": ["type": "integer"], "names": ["type": "array", "items": ["type": "string"]]],
      "required": ["count", "names"],
    ],
    "provider": ["type": "string"],
    "creditsCharged": ["type": "integer"],
    "checkAfterSeconds": ["type": "integer", "description": "When to call get_generation, while the state is working."],
  ]

  /// What tools answer that make pictures, those that find places, and those that take a generation of either kind.
  static let ofPictures = schema(requiring: "pictures", without: ["places", "dropped"])
  static let ofPlaces = schema(requiring: "places", without: ["pictures"])
  static let ofEither = schema()

  private static func schema(requiring result: String? = nil, without others: Set<String> = []) -> JSONValue {
    let required = ["generationId", "state"] + [result].compactMap(\.self)
    return [
      "type": "object",
      "properties": .object(JSONObject(members: members.filter { !others.contains($0.key) }.map { ($0.key, $0.value) })),
      "required": .array(required.map(JSONValue.string)),
    ]
  }

  /// A picture as `resources/list` shows it.
  static func resource(_ image: GeneratedImage, of generation: Generation) -> JSONObject {
    let fileExtension = image.mimeType.split(separator: "/").last.map { $0 == "jpeg" ? "jpg" : String($0) } ?? "bin"
    return [
      "uri": .string(PictureAddress(generation.generationId, image.index).text),
      "name": .string("\(generation.generationId.rawValue)-\(image.index).\(fileExtension)"),
      "title": .string(title(of: generation)), "mimeType": .string(image.mimeType), "size": .integer(image.bytes),
      "annotations": ["lastModified": .string((generation.finishedAt ?? generation.createdAt).text)],
    ]
  }
}

extension Generation {
  /// Whether it has delivered pictures or places.
  var hasResult: Bool { !images.isEmpty || places?.isEmpty == false }
}

extension Place {
  private static let text: JSONValue = ["type": "string"]

  fileprivate static let schema: JSONValue = [
    "type": "object",
    "properties": [
      "name": text, "address": ["type": "string", "description": "The whole address, on one line."],
      "streetAddress1": text, "streetAddress2": text, "city": text, "state": text, "postalCode": text, "country": text,
      "latitude": ["type": "number"], "longitude": ["type": "number"],
      "source": ["type": "string", "description": "Who confirmed it: the geocoder, or a host of Atelier."],
    ], "required": ["name", "address", "source"],
  ]

  /// The place without members in members.
  fileprivate var flat: JSONObject {
    var members: JSONObject = [
      "name": .string(name), "address": .string(address), "streetAddress1": .string(streetAddress1), "city": .string(city),
    ]
    let others = [("streetAddress2", streetAddress2), ("state", state), ("postalCode", postalCode), ("country", country)]
    for (member, text) in others { members[member] = text.map(JSONValue.string) }
    members["latitude"] = coordinate.flatMap { JSONNumber($0.latitude) }.map(JSONValue.number)
    members["longitude"] = coordinate.flatMap { JSONNumber($0.longitude) }.map(JSONValue.number)
    members["source"] = .string(source.rawValue)
    return members
  }
}

extension MCPService {
  /// The preview of a picture.
  func preview(of generation: Generation, _ index: Int, side: Int) async throws -> ToolAnswer.Preview {
    let (id, most) = (generation.generationId, GenerationReport.previewBytes)
    if generation.handsOver, let data = generation.images.first(where: { $0.index == index })?.data,
      let bytes = Base64.decoded(data)
    {
      return ToolAnswer.Preview(bytes: try await engine.preview(of: bytes, longestSide: side, maximumBytes: most))
    }
    return ToolAnswer.Preview(
      bytes: try await engine.preview(id, index: index, longestSide: side, maximumBytes: most, for: caller))
  }

  /// A generation with the previews of its pictures, unless the server shows none.
  func shown(_ generation: Generation) async -> ToolAnswer {
    var answer = GenerationReport(generation).answer
    let side = generation.images.count == 1 ? GenerationReport.previewSide : GenerationReport.severalPreviewsSide
    guard settings.showsPictures else { return answer }
    for image in generation.images {
      do {
        answer.previews.append(try await preview(of: generation, image.index, side: side))
      } catch {
        // As for a file that was deleted: the answer still names where the picture is.
        answer.parts.append(.said("There is no preview of picture \(image.index)."))
      }
    }
    return answer
  }
}
