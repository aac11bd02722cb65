/// What one of Google's image models can be asked for (GEMINI 1.1, 4).
struct GeminiModel: Sendable, Equatable {
  var name: String
  var aspectRatios: [String]
  /// The names of the sizes it makes.
  var sizes: [String]
  /// Whether the size may be said at all.
  var takesSize = true

  /// The model of that name; of one that is not known here everything is expected that any can do, for new ones appear.
  static func named(_ name: String) -> GeminiModel {
    known.first { $0.name == name }
      ?? GeminiModel(name: name, aspectRatios: commonRatios + longRatios, sizes: ["512", "1K", "2K", "4K"])
  }

  /// - Returns: nil unless `name` can stand in the path of a URL as it is.
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
  /// - Returns: nil when the model does not make it.
  func size(_ size: String) -> String? { sizes.first { $0.lowercased() == size.lowercased() } }

  /// Whether a listed model makes pictures; the list does not say so itself.
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
