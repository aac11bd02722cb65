import CurlHTTP

/// How to reach a cloud provider, and which models to use.
public struct CloudSettings: Sendable, Equatable {
  public var baseURL: BaseURL
  /// The path component with the API version; empty if the base URL contains it.
  public var apiVersion: String
  /// The model for requests that name none.
  public var model: String
  /// The model that answers in words, for requests that name none.
  public var textModel: String
  /// Further models to list for hosts.
  public var furtherModels: [String]
  /// The maximum number of concurrent images.
  public var maximumConcurrentImages: Int
  /// The time limit for establishing a connection, in milliseconds.
  public var connectLimitMs: Int
  /// The longest time without a byte in either direction, in milliseconds.
  public var stallLimitMs: Int

  public init(
    baseURL: BaseURL, apiVersion: String = "", model: String, textModel: String, furtherModels: [String] = [],
    maximumConcurrentImages: Int = 2048, connectLimitMs: Int = 10_000, stallLimitMs: Int = 30_000
  ) {
    self.baseURL = baseURL
    self.apiVersion = apiVersion
    self.model = model
    self.textModel = textModel
    self.furtherModels = furtherModels
    self.maximumConcurrentImages = maximumConcurrentImages
    self.connectLimitMs = connectLimitMs
    self.stallLimitMs = stallLimitMs
  }

  /// The names of all models, the default first, without duplicates.
  public var models: [String] {
    var known: Set<String> = []
    return ([model] + furtherModels).filter { known.insert($0).inserted }
  }

  /// The URL of an API path.
  /// - Parameter path: the part after the version, without a leading slash.
  public func url(_ path: String) -> String {
    baseURL.appending(apiVersion.isEmpty ? path : "\(apiVersion)/\(path)")
  }

  /// The limits of one exchange.
  /// - Parameter totalMs: its total time limit, in milliseconds.
  public func limits(totalMs: Int) -> HTTPLimits {
    HTTPLimits(
      total: .milliseconds(totalMs), connect: .milliseconds(connectLimitMs), stall: .milliseconds(stallLimitMs))
  }
}

extension CloudSettings {
  /// These settings with the operator's configuration applied.
  /// - Throws: ``CloudConfigurationProblem`` for the first invalid value.
  public func applying(_ configuration: CloudConfiguration) throws(CloudConfigurationProblem) -> CloudSettings {
    var settings = self
    if let text = configuration.baseUrl {
      guard let baseURL = BaseURL(text) else {
        throw CloudConfigurationProblem(member: "baseUrl", expected: BaseURL.expectation)
      }
      settings.baseURL = baseURL
    }
    if let version = configuration.apiVersion {
      guard version.isEmpty || Self.isPathSegment(version) else {
        throw CloudConfigurationProblem(
          member: "apiVersion", expected: "letters, digits, dots and dashes, as in v1beta")
      }
      settings.apiVersion = version
    }
    if let model = configuration.model { settings.model = try Self.model(model, "model") }
    if let model = configuration.textModel { settings.textModel = try Self.model(model, "textModel") }
    if let models = configuration.models {
      settings.furtherModels = []
      for model in models { settings.furtherModels.append(try Self.model(model, "models")) }
    }
    settings.maximumConcurrentImages = try Self.checked(
      configuration.maximumConcurrentImages, "maximumConcurrentImages", 1...65_536) ?? maximumConcurrentImages
    settings.connectLimitMs = try Self.checked(
      configuration.connectTimeoutMs, "connectTimeoutMs", 1...3_600_000) ?? connectLimitMs
    settings.stallLimitMs = try Self.checked(
      configuration.stallTimeoutMs, "stallTimeoutMs", 1...3_600_000) ?? stallLimitMs
    return settings
  }

  /// Whether a name can be used in a path unchanged: no slash, no escape, no `..`.
  static func isPathSegment(_ text: String) -> Bool {
    text.utf8.count <= 128 && text.first?.isLetter == true
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  /// Whether a text can be the name of a model: at most 200 printable ASCII characters.
  static func isModelName(_ text: String) -> Bool {
    (1...200).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }

  private static func model(_ name: String, _ member: String) throws(CloudConfigurationProblem) -> String {
    guard isModelName(name) else {
      throw CloudConfigurationProblem(member: member, expected: "the name of a model, at most 200 plain characters")
    }
    return name
  }

  private static func checked(
    _ value: Int?, _ member: String, _ range: ClosedRange<Int>
  ) throws(CloudConfigurationProblem) -> Int? {
    guard let value, !range.contains(value) else { return value }
    throw CloudConfigurationProblem(member: member, expected: "from \(range.lowerBound) to \(range.upperBound)")
  }
}

/// The operator's configuration of a cloud provider; absent values keep their defaults.
public struct CloudConfiguration: Codable, Sendable, Equatable {
  /// false: the provider is not used at all.
  public var enabled: Bool?
  /// The base URL of the API; see ``BaseURL/expectation``.
  public var baseUrl: String?
  /// The path component with the API version, such as `v1beta`; empty for none.
  public var apiVersion: String?
  /// The model for requests that name none.
  public var model: String?
  /// The model that answers in words, for `places`.
  public var textModel: String?
  /// Further models to list for hosts, in place of the built-in list.
  public var models: [String]?
  /// The maximum number of concurrent images, 1…65536.
  public var maximumConcurrentImages: Int?
  /// The time limit for establishing a connection, in milliseconds.
  public var connectTimeoutMs: Int?
  /// The longest time without a byte in either direction, in milliseconds.
  public var stallTimeoutMs: Int?

  public init(
    enabled: Bool? = nil, baseUrl: String? = nil, apiVersion: String? = nil, model: String? = nil,
    textModel: String? = nil, models: [String]? = nil, maximumConcurrentImages: Int? = nil, connectTimeoutMs: Int? = nil,
    stallTimeoutMs: Int? = nil
  ) {
    self.enabled = enabled
    self.baseUrl = baseUrl
    self.apiVersion = apiVersion
    self.model = model
    self.textModel = textModel
    self.models = models
    self.maximumConcurrentImages = maximumConcurrentImages
    self.connectTimeoutMs = connectTimeoutMs
    self.stallTimeoutMs = stallTimeoutMs
  }
}

/// An invalid value in the configuration.
public struct CloudConfigurationProblem: Error, Sendable, Equatable {
  /// The name of the member.
  public var member: String
  /// What the value must be, phrased to follow "must be".
  public var expected: String

  /// For the operator. It does not repeat the value: URLs may contain secrets.
  public var sentence: String { "\(member) must be \(expected)." }
}

extension CloudSettings {
  /// Google's Gemini API as of 21 November 2026; models and URLs change, and the operator can set them.
  ///
  /// `v1beta`, because `v1` refused fields of pictures in the past (GEMINI, engine default).
  public static let gemini = CloudSettings(
    baseURL: BaseURL(known: "generativelanguage.googleapis.com"), apiVersion: "v1beta",
    model: "gemini-nano-banana-2.1", textModel: "gemini-2.5-flash",
    furtherModels: ["gemini-3-pro-image", "gemini-3.1-flash-lite-image", "gemini-2.5-flash-image"])
}
