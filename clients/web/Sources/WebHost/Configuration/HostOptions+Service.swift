import AtelierClient

/// Whether the service can do what the host's configuration promises.
extension HostOptions {
  /// Starts the service, asks it, and ends it; only if there is something to ask. The service writes nothing for that.
  /// - Throws: ``ConfigurationFailure``; `AtelierError` when it cannot be started.
  public func checkService() async throws {
    guard asks else { return }
    try await withStudio(service) { try await check($0) }
  }

  /// - Throws: ``ConfigurationFailure``; `AtelierError` when the service is lost.
  func check(_ studio: Studio) async throws {
    guard asks, try await !studio.initialization.capabilities.watermark else { return }
    throw ConfigurationFailure(
      sentence: "/public/markPreviews needs a watermark, and the service has none: name its file with pictures.watermark in "
        + "the configuration of the service.")
  }

  private var asks: Bool { shop?.marksPreviews == true }
}
