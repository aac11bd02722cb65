import AtelierProtocol
import Providers
import Store

/// What the work on a generation brought: pictures durable in the store's temporary place, and what went wrong.
struct Delivery: Sendable {
  struct Picture: Sendable {
    var index: Int
    var image: ProviderImage
    var staged: StagedArtifact
    /// What it costs, by who made it.
    var credits: Int
  }

  var pictures: [Picture] = []
  /// The photo they were made from, to be kept.
  var prepared: PreparedKeeping?
  var failures: [ImageFailure] = []
  var warnings: [Warning] = []
  /// Who made the first of them.
  var provider: ProviderID?
  var model: String?
  /// Words the model gave with them.
  var text: String?
  var usage = Usage()

  /// Every file that waits for a row.
  var stagedArtifacts: [StagedArtifact] {
    var staged = pictures.map(\.staged)
    if case .staged(let photo) = prepared?.source { staged.append(photo) }
    return staged
  }

  /// Says each thing once.
  mutating func add(_ warning: Warning) {
    if !warnings.contains(warning) { warnings.append(warning) }
  }
}
