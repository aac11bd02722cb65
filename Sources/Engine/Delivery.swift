import AtelierProtocol
import Providers
import Store

/// What the work on a generation brought: pictures durable in the store's temporary place, and what went wrong.
struct Delivery: Sendable {
  struct Picture: Sendable {
    var index: Int
    var view: View?
    var image: ProviderImage
    /// Where its bytes are: new ones staged, those of an earlier result kept already.
    var source: ArtifactSource
    /// What it costs, by who made it.
    var credits: Int
  }

  var pictures: [Picture] = []
  /// The photo and the pictures to go by, to be kept.
  var inputs: [PreparedKeeping] = []
  /// True when an earlier result answers; nobody was asked, and nothing is charged.
  var isCached = false
  /// What an identical request is known by from now on; nil where these may not answer it.
  var cacheKey: [UInt8]?
  var failures: [ImageFailure] = []
  var warnings: [Warning] = []
  /// Who made the first of them.
  var provider: ProviderID?
  /// Who made any of them.
  var providers: Set<ProviderID> = []
  var model: String?
  /// Words the model gave with them.
  var text: String?
  var usage = Usage()

  /// Every file that waits for a row.
  var stagedArtifacts: [StagedArtifact] {
    (pictures.map(\.source) + inputs.map(\.source)).compactMap(\.staged)
  }

  /// Says each thing once.
  mutating func add(_ warning: Warning) {
    if !warnings.contains(warning) { warnings.append(warning) }
  }
}
