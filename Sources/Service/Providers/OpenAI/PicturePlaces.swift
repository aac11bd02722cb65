import Encodings
import Imaging
import JSON

/// Where pictures stand in the answers of servers that do not answer as OpenAI does. A picture that is there has been paid
/// for, and is taken where it is unmistakable: text that is a picture, or a link in the place of one.
enum PicturePlaces {
  /// A place as a path of members; `[]` takes every element of an array, or what stands there instead of one.
  struct Place: Sendable {
    var path: String
    /// Who answers so.
    var servers: String
    /// Whether a link may stand there.
    var takesLinks = false
  }

  static let all = [
    Place(path: "images[].url", servers: "SiliconFlow, fal", takesLinks: true),
    Place(path: "images[].b64_json", servers: "SiliconFlow"),
    Place(path: "images[].image_url.url", servers: "gateways before chat models"),
    Place(path: "images[]", servers: "Stable Diffusion web UI, Novita"),
    Place(path: "image.url", servers: "fal", takesLinks: true),
    Place(path: "image", servers: "Stability, Ollama"),
    Place(path: "artifacts[].base64", servers: "Stability, NVIDIA"),
    Place(path: "result.image", servers: "Cloudflare Workers AI"),
    Place(path: "predictions[].bytesBase64Encoded", servers: "Vertex AI"),
    Place(path: "candidates[].content.parts[].inlineData.data", servers: "Google, behind another address"),
    Place(path: "candidates[].content.parts[].inline_data.data", servers: "Google, behind another address"),
    Place(path: "choices[].message.images[].image_url.url", servers: "OpenRouter, LiteLLM"),
    Place(path: "choices[].delta.images[].image_url.url", servers: "OpenRouter, streamed"),
    Place(path: "choices[].message.image.url", servers: "LiteLLM, older"),
    Place(path: "choices[].message.content[].image_url.url", servers: "gateways with parts of content"),
    Place(path: "choices[].message.content", servers: "new-api, in Markdown"),
    Place(path: "choices[].delta.content", servers: "new-api, in Markdown, streamed"),
    Place(path: "output[].result", servers: "OpenAI's Responses API"),
    Place(path: "output[]", servers: "Replicate", takesLinks: true),
    Place(path: "output.results[].url", servers: "DashScope", takesLinks: true),
    Place(path: "output.choices[].message.content[].image", servers: "DashScope", takesLinks: true),
    Place(path: "data[].b64_json[]", servers: "gateways with lists"),
    Place(path: "data[].url[]", servers: "APIMart", takesLinks: true),
    Place(path: "data[]", servers: "gateways with plain lists", takesLinks: true),
    Place(path: "data.images[].b64_json", servers: "gateways with an envelope"),
    Place(path: "data.images[].url", servers: "gateways with an envelope", takesLinks: true),
    Place(path: "data.images[]", servers: "gateways with an envelope", takesLinks: true),
    Place(path: "data.results[].b64_json", servers: "gateways with an envelope"),
    Place(path: "data.results[].url", servers: "gateways with an envelope", takesLinks: true),
    Place(path: "results[].b64_json", servers: "gateways with an envelope"),
    Place(path: "results[].url", servers: "gateways with an envelope", takesLinks: true),
    Place(path: "candidates[].content.parts[].text", servers: "gateways before Google, in Markdown"),
    Place(path: "data.image_base64[]", servers: "MiniMax"),
    Place(path: "data.image_urls[]", servers: "MiniMax", takesLinks: true),
  ]

  /// The first picture that stands in one of the places.
  static func picture(in json: JSONValue, of body: AnswerBody) -> OpenAIAnswer.Picture? {
    for place in all {
      for (value, isRefused) in values(at: place.path.split(separator: ".")[...], in: json) {
        if let picture = picture(value, of: body, takesLinks: place.takesLinks && !isRefused) { return picture }
      }
    }
    return nil
  }

  private static func picture(_ value: JSONValue, of body: AnswerBody, takesLinks: Bool) -> OpenAIAnswer.Picture? {
    guard value.statedText != nil else { return nil }
    let base64 = body.base64(value)
    if let link = base64.link { return takesLinks ? .link(link) : nil }
    if let bytes = base64.decoded()?.bytes, case .picture = RecognisedContent(of: bytes) { return .base64(base64) }
    return markdownPicture(base64.string).flatMap { picture(.string($0), of: body, takesLinks: false) }
  }

  /// The `data:` URL of the picture in a text in Markdown: `![](data:image/png;base64,…)`.
  private static func markdownPicture(_ text: String) -> String? {
    guard let start = text.utf8.firstRange(of: Array("](data:image/".utf8)) else { return nil }
    let url = text.utf8[start.upperBound...].prefix { $0 != UInt8(ascii: ")") }
    return "data:image/" + String(decoding: url, as: UTF8.self)
  }

  /// What stands at a path, and whether an error stands beside it: a link leads to its explanation then.
  private static func values(
    at path: ArraySlice<Substring>, in json: JSONValue, isRefused: Bool = false
  ) -> [(value: JSONValue, isRefused: Bool)] {
    guard let step = path.first else { return [(json, isRefused)] }
    let isRefused = isRefused || ServerRefusal.states(["error", "errors"], in: json)
    // What a model only thinks of is no result.
    guard json["thought"]?.bool != true else { return [] }
    let name = step.hasSuffix("[]") ? step.dropLast(2) : step
    guard let value = json[String(name)] else { return [] }
    let elements = step.hasSuffix("[]") ? value.array ?? [value] : [value]
    return elements.flatMap { values(at: path.dropFirst(), in: $0, isRefused: isRefused) }
  }
}
