import AtelierProtocol
import Providers
import Synchronization

/// A provider that does what a test tells it to.
public final class ScriptedProvider: ImageProvider {
  public typealias Script =
    @Sendable (ImageRequest, _ progress: @escaping @Sendable (ImageProgress) -> Void) async throws -> ProviderImage

  public let id: ProviderID
  public let maximumConcurrentImages: Int
  public let profile: ProviderProfile
  private let script: Script
  private let reach: @Sendable () async throws -> Void
  private let looks = Mutex(0)
  private let asked = Mutex<[ImageRequest]>([])
  private let present: Mutex<ProviderAvailability>

  public init(
    id: ProviderID = "scripted", maximumConcurrentImages: Int = 4, recipes: [Recipe] = Recipe.allCases,
    isLocal: Bool = true, isServedHere: Bool = false, creditsPerImage: Int = 0,
    availability: ProviderAvailability = ProviderAvailability(available: true),
    script: @escaping Script = { _, _ in try ScriptedProvider.picture() },
    reach: @escaping @Sendable () async throws -> Void = {}
  ) {
    self.id = id
    self.maximumConcurrentImages = maximumConcurrentImages
    self.script = script
    self.reach = reach
    present = Mutex(availability)
    profile = ProviderProfile(
      title: "Scripted", recipes: recipes, models: ["script-1"], isLocal: isLocal,
      isServedHere: isServedHere, creditsPerImage: creditsPerImage)
  }

  /// One that waits at `gate` and then delivers.
  public convenience init(
    id: ProviderID = "scripted", maximumConcurrentImages: Int = 4, creditsPerImage: Int = 0, waitingAt gate: Gate
  ) {
    self.init(
      id: id, maximumConcurrentImages: maximumConcurrentImages, creditsPerImage: creditsPerImage
    ) { _, progress in
      progress(ImageProgress(phase: .processing, message: "Painting…", fraction: 0.5))
      try await gate.pass()
      return try Self.picture()
    }
  }

  /// What it was asked for, in order.
  public var requests: [ImageRequest] { asked.withLock { $0 } }

  public func availability() async -> ProviderAvailability { present.withLock { $0 } }

  /// Where everybody comes by who tells it that pictures will be wanted.
  public let warmUps = Gate(isOpen: true)

  public func warmUp() { warmUps.arrive() }

  /// From now on it says this of itself.
  public func become(_ availability: ProviderAvailability) { present.withLock { $0 = availability } }

  /// How often somebody looked whether it can be reached.
  public var probes: Int { looks.withLock { $0 } }

  public func probe() async throws {
    looks.withLock { $0 += 1 }
    try await reach()
  }

  public func check(_ request: ImageRequest) throws(AtelierError) {}

  public func makeImage(
    _ request: ImageRequest, progress: @escaping @Sendable (ImageProgress) -> Void
  ) async throws -> ProviderImage {
    asked.withLock { $0.append(request) }
    return try await script(request, progress)
  }

  /// A small real picture.
  public static func picture(_ name: String = "images/plain.png") throws -> ProviderImage {
    ProviderImage(
      bytes: try Fixture.bytes(name), mimeType: "image/png", width: 300, height: 300, model: "script-1",
      usage: Usage(inputTokens: 3, outputTokens: 5, costUsd: 0))
  }
}
