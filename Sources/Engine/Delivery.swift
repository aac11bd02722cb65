import AtelierProtocol
import Providers
import Store

/// What the work on a generation brought: pictures durable in the store's temporary place, and what went wrong.
struct Delivery: Sendable {
  struct Picture: Sendable {
    var index: Int
    var image: ProviderImage
    var staged: StagedArtifact
  }

  var pictures: [Picture] = []
  var thumbnail: StagedArtifact?
  var failures: [ImageFailure] = []
  var warnings: [Warning] = []
  var model: String?
  var usage = Usage()

  /// Every file that waits for a row.
  var stagedArtifacts: [StagedArtifact] {
    pictures.map(\.staged) + (thumbnail.map { [$0] } ?? [])
  }
}
