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
