import AtelierProtocol
import Providers
import Synchronization

/// A provider elsewhere that can be cut off and connected again.
public final class FarProvider: Sendable {
  private let isCutOff: Mutex<Bool>
  private let failure: AtelierError
  private let image: @Sendable (ImageRequest) async throws -> ProviderImage

  /// - Parameters:
  ///   - failure: what it fails with while it is cut off.
  ///   - image: what it makes while it is not.
  public init(
    isCutOff: Bool = true, failure: AtelierError = AtelierError(.offline, provider: "scripted"),
    image: @escaping @Sendable (ImageRequest) async throws -> ProviderImage = { _ in try ScriptedProvider.picture() }
  ) {
    self.isCutOff = Mutex(isCutOff)
    self.failure = failure
    self.image = image
  }

  public func cutOff() { isCutOff.withLock { $0 = true } }

  public func connect() { isCutOff.withLock { $0 = false } }

  /// The same provider as another process has it.
  public func provider(maximumConcurrentImages: Int = 64, creditsPerImage: Int = 0) -> ScriptedProvider {
    ScriptedProvider(
      maximumConcurrentImages: maximumConcurrentImages, isLocal: false, creditsPerImage: creditsPerImage,
      script: { request, progress in
        progress(ImageProgress(phase: .uploading, message: "Sending your words…"))
        try self.check()
        return try await self.image(request)
      },
      reach: { try self.check() })
  }

  private func check() throws {
    if isCutOff.withLock({ $0 }) { throw failure }
  }
}
