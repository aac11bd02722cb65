import AtelierProtocol

/// Something that makes one picture from a request: a cloud model, or this machine.
///
/// A provider does the work of one image and nothing else: it neither stores, nor counts credits, nor retries.
public protocol ImageProvider: Sendable {
  var id: ProviderID { get }

  /// What a host is told of it: title, recipes, models.
  var profile: ProviderProfile { get }

  /// How many images it may be asked for at the same time; further ones wait as `queued`.
  var maximumConcurrentImages: Int { get }

  /// Whether it has what it needs to be asked, such as a key, and if not, why. A pause the provider asked for is the
  /// engine's to know.
  func availability() async -> ProviderAvailability

  /// Refuses at once what this provider can never do, so that nothing is accepted in vain.
  /// - Throws: `AtelierError` of kind `unsupported_by_provider`, with what to do instead.
  func check(_ request: ImageRequest) throws(AtelierError)

  /// Tells that pictures will be wanted soon: what takes time before the first one may be done in the background.
  func warmUp()

  /// Looks whether the provider can be reached at all, at no cost and without asking it for anything.
  /// - Throws: `AtelierError` when it cannot, or `CancellationError`.
  func probe() async throws

  /// Asks the provider which of its models may be used now.
  /// - Returns: their names, the one used by default first where it is among them.
  /// - Throws: `AtelierError`, or `CancellationError`.
  func fetchModels() async throws -> [String]

  /// Makes one picture.
  ///
  /// Cancelling the task ends the work within a few milliseconds.
  /// - Parameter progress: called in order, from any thread, as the work moves on. A provider elsewhere calls it before
  ///   the first byte of a request leaves, and not earlier than when that is about to happen: as long as it was not
  ///   called, nothing was sent.
  /// - Throws: `AtelierError`, or `CancellationError` when the task was cancelled.
  func makeImage(
    _ request: ImageRequest, progress: @escaping @Sendable (ImageProgress) -> Void
  ) async throws -> ProviderImage
}

extension ImageProvider {
  /// Nothing needs time.
  public func warmUp() {}

  /// It is here.
  public func probe() async throws {}

  /// What it is known to have.
  public func fetchModels() async throws -> [String] { profile.models }
}
