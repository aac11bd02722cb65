import AtelierProtocol
import Imaging

/// Makes one image from a request: a cloud model, or this machine.
///
/// A provider only makes the image: it does not store, count credits or retry.
public protocol ImageProvider: Sendable {
  var id: ProviderID { get }

  /// The information for hosts: title, recipes, models.
  var profile: ProviderProfile { get }

  /// The maximum number of concurrent images; further ones wait as `queued`.
  var maximumConcurrentImages: Int { get }

  /// Whether the provider has what it needs, such as a key, and if not, why. The engine, not the provider, tracks a
  /// pause that the provider asked for.
  func availability() async -> ProviderAvailability

  /// Rejects at once a request that this provider can never fulfil.
  /// - Throws: `AtelierError` of kind `unsupported_by_provider`, with an alternative.
  func check(_ request: ImageRequest) throws(AtelierError)

  /// What its pictures depend on besides the request: texts that change when an identical request would give others.
  func dependencies() async -> [String]

  /// Announces that images will be requested soon, so that slow preparation can be done in the background.
  func warmUp()

  /// Checks whether the provider can be reached, at no cost and without requesting anything.
  /// - Throws: `AtelierError` when it cannot be reached, or `CancellationError`.
  func probe() async throws

  /// Asks the provider which of its models are available now.
  /// - Returns: their names; the default model comes first if it is among them.
  /// - Throws: `AtelierError`, or `CancellationError`.
  func fetchModels() async throws -> [String]

  /// Makes one image.
  ///
  /// Cancelling the task ends the work within a few milliseconds.
  /// - Parameter progress: called in order, from any thread, as the work proceeds. A remote provider calls it
  ///   immediately before the first byte of a request is sent, not earlier: if it was not called, nothing was
  ///   sent.
  /// - Throws: `AtelierError`, or `CancellationError` when the task was cancelled.
  func makeImage(
    _ request: ImageRequest, progress: @escaping @Sendable (ImageProgress) -> Void
  ) async throws -> ProviderImage
}

extension ImageProvider {
  /// Nothing by default.
  public func dependencies() async -> [String] { [] }

  /// Does nothing by default.
  public func warmUp() {}

  /// Always succeeds by default.
  public func probe() async throws {}

  /// The known models by default.
  public func fetchModels() async throws -> [String] { profile.models }
}
