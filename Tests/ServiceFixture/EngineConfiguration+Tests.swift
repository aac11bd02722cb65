import Engine

extension EngineConfiguration {
  /// No request is sent twice.
  public static var withoutRetries: EngineConfiguration {
    var configuration = EngineConfiguration()
    configuration.policies = [:]
    return configuration
  }
}
