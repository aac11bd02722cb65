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
