import AtelierProtocol
import Providers
import Store

/// The outcome of the work on a generation: pictures, staged durably in the store unless they are private, and failures.
struct Delivery: Sendable {
  struct Picture: Sendable {
    var index: Int
    var image: ProviderImage
    /// The picture and what belongs to it. The picture has the price, which depends on the provider that made it.
    var files: [File]
  }

  struct File: Sendable {
    /// Its bytes are newly staged, stored already for an earlier result, or only in memory.
    var file: GenerationFile
    var bytes: [UInt8]
  }

  /// The list that the recipe `places` delivers.
  struct PlaceList: Sendable {
    var places: [Place]
    var dropped: DroppedPlaces
    /// False when the work broke off.
    var isComplete: Bool
    var credits: Int
  }

  var pictures: [Picture] = []
  /// Nil for every other recipe.
  var list: PlaceList?
  /// The photo and the reference pictures to keep.
  var inputs: [PreparedKeeping] = []
  /// True when an earlier result answers; no provider was asked, and nothing is charged.
  var isCached = false
  /// The key under which this result answers identical requests; nil when it may not.
  var cacheKey: [UInt8]?
  /// Why the store cannot keep it, if that is known already.
  var obstacle: AtelierError?
  var failures: [ImageFailure] = []
  var warnings: [Warning] = []
  /// The provider that made the first picture.
  var provider: ProviderID?
  /// The providers that made any of the pictures.
  var providers: Set<ProviderID> = []
  var model: String?
  /// Text that the model returned with the pictures.
  var text: String?
  var usage = Usage()

  /// What its delivery is for the generation.
  /// - Parameter wanted: the number of results requested.
  func event(wanted: Int) -> GenerationLifecycle.Event {
    guard let list else { return .delivered(images: pictures.count, wanted: wanted) }
    return .delivered(images: 1, wanted: list.isComplete ? 1 : 2)
  }

  var files: [File] { pictures.flatMap(\.files) }

  /// Every staged file that has no row yet.
  var stagedArtifacts: [StagedArtifact] { (files.map(\.file.source) + inputs.map(\.source)).compactMap(\.staged) }

  /// Adds a warning unless it is already present.
  mutating func add(_ warning: Warning) {
    if !warnings.contains(warning) { warnings.append(warning) }
  }
}
