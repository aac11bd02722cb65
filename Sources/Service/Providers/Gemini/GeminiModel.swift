import AtelierProtocol
import Credentials
import CurlHTTP
import Encodings
import JSON

/// The capabilities of one of Google's image models (GEMINI 1.1, 4).
struct GeminiModel: Sendable, Equatable {
  var name: String
  var aspectRatios: [String]
  /// The names of the sizes that it supports.
  var sizes: [String]
  /// Whether the request may state a size.
  var takesSize = true

  /// The model of that name; an unknown one is assumed to support everything that any model does, as new ones appear.
  static func named(_ name: String) -> GeminiModel {
    known.first { $0.name == name }
      ?? GeminiModel(name: name, aspectRatios: commonRatios + longRatios, sizes: ["512", "1K", "2K", "4K"])
  }

  /// - Returns: nil unless `name` can be used in a URL path without escaping.
  init?(checking name: String) {
    let short = name.hasPrefix("models/") ? String(name.dropFirst("models/".count)) : name
    guard CloudSettings.isPathSegment(short) else { return nil }
    self = .named(short)
  }

  private init(name: String, aspectRatios: [String], sizes: [String], takesSize: Bool = true) {
    self.name = name
    self.aspectRatios = aspectRatios
    self.sizes = sizes
    self.takesSize = takesSize
  }

  /// The size as the API spells it: `1k` becomes `1K`.
  /// - Returns: nil when the model does not support it.
  func size(_ size: String) -> String? { sizes.first { $0.lowercased() == size.lowercased() } }

  /// Whether a listed model makes images; the list itself does not say.
  static func makesPictures(_ name: String) -> Bool {
    known.contains { $0.name == name } || name.contains("image") || name.contains("banana")
  }

  private static let commonRatios = ["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"]
  private static let longRatios = ["1:4", "4:1", "1:8", "8:1"]

  private static let known = [
    GeminiModel(name: "gemini-nano-banana-2.1", aspectRatios: commonRatios + longRatios, sizes: ["1K", "2K", "4K"]),
    GeminiModel(name: "gemini-3-pro-image", aspectRatios: commonRatios, sizes: ["1K", "2K", "4K"]),
    GeminiModel(
      name: "gemini-3.1-flash-image", aspectRatios: commonRatios + longRatios, sizes: ["512", "1K", "2K", "4K"]),
    GeminiModel(name: "gemini-3.1-flash-lite-image", aspectRatios: commonRatios, sizes: ["1K"]),
    GeminiModel(name: "gemini-2.5-flash-image", aspectRatios: commonRatios, sizes: ["1K"], takesSize: false),
    GeminiModel(name: "nano-banana-pro-preview", aspectRatios: commonRatios, sizes: ["1K", "2K", "4K"]),
  ]
}

/// An enumeration name of the API, such as `RESOURCE_EXHAUSTED`: short and plain enough to be passed on unchanged.
struct GeminiName: Equatable {
  let text: String

  /// - Returns: nil for any other text, and for one that looks like a key.
  init?(_ text: String, hiding key: APIKey) {
    guard (1...100).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0) || Self.others.contains($0) }),
      ProviderMessage(text, hiding: key)?.text == text
    else { return nil }
    self.text = text
  }

  var json: JSONValue { .string(text) }

  private static let others = Set("0123456789_-".utf8)
}

extension GeminiProvider {
  /// The time limit for one page of the list, in milliseconds.
  private static let listLimitMs = 30_000
  /// The maximum number of pages; no list of models is longer.
  private static let maximumPages = 20

  /// The models that the key may use and that can make images (GEMINI 1).
  public func fetchModels() async throws -> [String] {
    let key = try await key()
    var names: [String] = []
    var token: String?
    for _ in 0..<Self.maximumPages {
      let page = try await page(after: token, key)
      names += page.names.filter { !names.contains($0) }
      token = page.next
      if token == nil { break }
    }
    return names.filter { $0 == settings.model } + names.filter { $0 != settings.model }
  }

  private func page(after token: String?, _ key: APIKey) async throws -> (names: [String], next: String?) {
    let query = "pageSize=1000" + (token.map { "&pageToken=\(PercentEncoding.encoded($0))" } ?? "")
    let call = HTTPRequest(
      .get, "\(settings.url("models"))?\(query)", headers: headers(key),
      limits: settings.limits(totalMs: Self.listLimitMs))
    let list: JSONObject
    do {
      let reading = GeminiReading(key: key, model: settings.model, sentBytes: 0, hasPictures: false)
      list = try reading.success(try await perform(call))
    } catch var error as AtelierError {
      // Listing models costs nothing, even if it fails.
      error.details["mayHaveBeenCharged"] = nil
      throw error
    }
    let models = list["models"]?.array ?? []
    let next = list["nextPageToken"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    return (models.compactMap(Self.name), next)
  }

  /// - Returns: nil for a model that makes no images, and for a name that cannot be used in a request.
  private static func name(of model: JSONValue) -> String? {
    let methods = model["supportedGenerationMethods"]?.array?.compactMap(\.string) ?? []
    guard methods.contains("generateContent"), let full = model["name"]?.string,
      let name = GeminiModel(checking: full)?.name
    else { return nil }
    return GeminiModel.makesPictures(name) ? name : nil
  }
}
