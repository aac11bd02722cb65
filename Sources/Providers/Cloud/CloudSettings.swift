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
