import CurlHTTP

/// How a cloud provider is reached, and what it is asked for (REQUIREMENTS 3.2, 3.3, 3.6).
public struct CloudSettings: Sendable, Equatable {
  public var baseURL: BaseURL
  /// The part of the path that names the version of the API; empty where the base URL says it.
  public var apiVersion: String
  /// What is asked when a request names no model.
  public var model: String
  /// Further models that hosts are told of.
  public var furtherModels: [String]
  /// How many pictures it may be asked for at the same time.
  public var maximumConcurrentImages: Int
  /// The longest until a connection stands, in milliseconds.
  public var connectLimitMs: Int
  /// The longest without a byte in either direction, in milliseconds.
  public var stallLimitMs: Int

  public init(
    baseURL: BaseURL, apiVersion: String = "", model: String, furtherModels: [String] = [],
    maximumConcurrentImages: Int = 2048, connectLimitMs: Int = 10_000, stallLimitMs: Int = 30_000
  ) {
    self.baseURL = baseURL
    self.apiVersion = apiVersion
    self.model = model
    self.furtherModels = furtherModels
    self.maximumConcurrentImages = maximumConcurrentImages
    self.connectLimitMs = connectLimitMs
    self.stallLimitMs = stallLimitMs
  }

  /// Every model by name, the default first, none twice.
  public var models: [String] {
    var known: Set<String> = []
    return ([model] + furtherModels).filter { known.insert($0).inserted }
  }

  /// The address of something of the API.
  /// - Parameter path: what follows the version, without a slash at its beginning.
  public func url(_ path: String) -> String {
    baseURL.appending(apiVersion.isEmpty ? path : "\(apiVersion)/\(path)")
  }

  /// The limits of one exchange.
  /// - Parameter totalMs: the longest it may take, in milliseconds.
  public func limits(totalMs: Int) -> HTTPLimits {
    HTTPLimits(
      total: .milliseconds(totalMs), connect: .milliseconds(connectLimitMs), stall: .milliseconds(stallLimitMs))
  }
}

extension CloudSettings {
  /// The same with what the operator said put over it.
  /// - Throws: ``CloudConfigurationProblem`` for the first value that makes no sense.
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

  /// Whether a name can stand in a path as it is: no slash, no escape, no `..`.
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

  /// Whether a text can be the name of a model: at most 200 plain characters.
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

/// What the operator's configuration says of a cloud provider; what it leaves out keeps its default.
public struct CloudConfiguration: Codable, Sendable, Equatable {
  /// Where the API is reached; ``BaseURL/expectation``.
  public var baseUrl: String?
  /// The part of the path that names the version of the API, such as `v1beta`; empty for none.
  public var apiVersion: String?
  /// What is asked when a request names no model.
  public var model: String?
  /// Further models that hosts are told of, in the place of the known ones.
  public var models: [String]?
  /// How many pictures it may be asked for at the same time, 1…65536.
  public var maximumConcurrentImages: Int?
  /// The longest until a connection stands, in milliseconds.
  public var connectTimeoutMs: Int?
  /// The longest without a byte in either direction, in milliseconds.
  public var stallTimeoutMs: Int?

  public init(
    baseUrl: String? = nil, apiVersion: String? = nil, model: String? = nil, models: [String]? = nil,
    maximumConcurrentImages: Int? = nil, connectTimeoutMs: Int? = nil, stallTimeoutMs: Int? = nil
  ) {
    self.baseUrl = baseUrl
    self.apiVersion = apiVersion
    self.model = model
    self.models = models
    self.maximumConcurrentImages = maximumConcurrentImages
    self.connectTimeoutMs = connectTimeoutMs
    self.stallTimeoutMs = stallTimeoutMs
  }
}

/// A value of the configuration that makes no sense.
public struct CloudConfigurationProblem: Error, Sendable, Equatable {
  /// The name of the member.
  public var member: String
  /// What it must be, to follow "must be".
  public var expected: String

  /// For the operator. It does not repeat the value: addresses may hold secrets.
  public var sentence: String { "\(member) must be \(expected)." }
}

extension CloudSettings {
  /// Google's Gemini API as it is on 21 November 2026; models and addresses change, and are the operator's to set.
  ///
  /// `v1beta`, because `v1` refused fields of pictures in the past (GEMINI, engine default).
  public static let gemini = CloudSettings(
    baseURL: BaseURL(known: "https://generativelanguage.googleapis.com"), apiVersion: "v1beta",
    model: "gemini-nano-banana-2.1",
    furtherModels: ["gemini-3-pro-image", "gemini-3.1-flash-lite-image", "gemini-2.5-flash-image"])
}
