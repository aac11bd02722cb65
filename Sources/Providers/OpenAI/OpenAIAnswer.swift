import AtelierProtocol
import JSONRPC

/// What a server answered: a picture, in base64 or by a link, and what it counted.
struct OpenAIAnswer: Sendable, Equatable {
  enum Picture: Sendable, Equatable {
    case base64(ReceivedBase64)
    case link(String)
  }

  var picture: Picture?
  /// The model that served, where the server says so.
  var model: String?
  private(set) var tokens = TokenCounts()
  private(set) var inputTokens = 0
  private(set) var outputTokens = 0
  /// Such as `1024x1024`.
  private(set) var size: String?

  /// Reads the object of an answer, or of the event that ends a stream, in which the picture stands at the top.
  init(_ body: AnswerBody) {
    let json = body.json
    let entry = json["data"]?.array?.first ?? json
    if let text = entry["b64_json"]?.string, !text.isEmpty {
      picture = .base64(body.base64(entry["b64_json"]))
    } else if let link = entry["url"]?.string, !link.isEmpty {
      picture = Self.inlined(link).map { .base64(ReceivedBase64($0)) } ?? .link(link)
    }
    model = json["model"]?.string.flatMap { CloudSettings.isModelName($0) ? $0 : nil }
    size = json["size"]?.string
    read(usage: json["usage"])
  }

  /// What a link of the form `data:image/png;base64,…` holds.
  private static func inlined(_ link: String) -> String? {
    guard link.hasPrefix("data:image/"), let comma = link.firstIndex(of: ","), link[..<comma].hasSuffix(";base64")
    else { return nil }
    return String(link[link.index(after: comma)...])
  }

  /// No picture takes as many: what is more is no count, and would be charged.
  private static let mostTokens: Int64 = 10_000_000

  private mutating func read(usage: JSONValue?) {
    func count(_ value: JSONValue?) -> Int? {
      guard let count = value?.int64, (0...Self.mostTokens).contains(count) else { return nil }
      return Int(count)
    }
    inputTokens = count(usage?["input_tokens"]) ?? 0
    outputTokens = count(usage?["output_tokens"]) ?? 0
    let input = usage?["input_tokens_details"]
    let output = usage?["output_tokens_details"]
    tokens = TokenCounts(
      textInput: count(input?["text_tokens"]), imageInput: count(input?["image_tokens"]),
      textOutput: count(output?["text_tokens"]),
      imageOutput: count(output?["image_tokens"]) ?? count(usage?["output_tokens"]))
    // Without the parts, text would be counted as pictures or the other way round.
    if tokens.textInput == nil, tokens.imageInput == nil, inputTokens > 0 { tokens.imageOutput = nil }
  }

  /// - Parameter model: the one that was asked, where the server does not say which one served.
  func usage(model: String, prices: PriceTable) -> Usage {
    let cost = prices.cost(model: model, tokens: tokens, images: 1, size: size)
    return Usage(inputTokens: inputTokens, outputTokens: outputTokens, costUsd: cost)
  }
}
