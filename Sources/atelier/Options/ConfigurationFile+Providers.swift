import Providers

extension ConfigurationFile {
  /// How the cloud providers are reached, by provider.
  struct CloudProviders: Codable, Sendable, Equatable {
    var gemini: CloudConfiguration?
    var openai: CloudConfiguration?
  }
}

extension CloudSettings {
  /// The same with what the operator and the environment say put over it.
  /// - Parameters:
  ///   - configuration: the configuration file's word.
  ///   - baseURL: the environment's variable for the address, and its value; it goes before the file.
  ///   - provider: whose settings these are, for the sentence.
  /// - Throws: `CommandFailure` for a value that makes no sense.
  func applying(
    _ configuration: CloudConfiguration?, baseURL: (name: String, value: String?), of provider: String
  ) throws -> CloudSettings {
    var settings = self
    if let configuration {
      do throws(CloudConfigurationProblem) {
        settings = try applying(configuration)
      } catch {
        throw CommandFailure(sentence: "providers/\(provider)/\(error.sentence)")
      }
    }
    guard let value = baseURL.value else { return settings }
    do throws(CloudConfigurationProblem) {
      return try settings.applying(CloudConfiguration(baseUrl: value))
    } catch {
      throw CommandFailure(sentence: "\(baseURL.name) must be \(error.expected).")
    }
  }
}
