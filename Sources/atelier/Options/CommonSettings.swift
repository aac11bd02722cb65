/// What ``CommonOptions`` say; where they say nothing, the environment does.
struct CommonSettings: Sendable {
  var dataDirectory: String?
  var config: String?
  var logLevel: LogLevel?
}

extension CommonOptions {
  var settings: CommonSettings {
    CommonSettings(dataDirectory: dataDirectory, config: config, logLevel: logLevel)
  }
}
