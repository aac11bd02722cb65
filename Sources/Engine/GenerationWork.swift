import AtelierProtocol
import JSONRPC
import Providers

/// An accepted request with all its choices made: what is to be done, for whom, by whom.
struct GenerationWork: Sendable {
  let id: GenerationID
  let account: AccountID
  private(set) var request: Generate
  let provider: any ImageProvider
  /// The id of the JSON-RPC request, for its progress notifications.
  let requestID: JSONValue?
  /// Whether its progress is told.
  let wantsProgress: Bool
  /// When the request was accepted, by the time of day.
  let createdAt: Timestamp

  init(
    id: GenerationID, account: AccountID, request: Generate, provider: any ImageProvider, requestID: JSONValue?,
    wantsProgress: Bool, createdAt: Timestamp
  ) {
    self.id = id
    self.account = account
    self.request = request
    self.provider = provider
    self.requestID = requestID
    self.wantsProgress = wantsProgress
    self.createdAt = createdAt
    // A refinement works on the result it names.
    if self.request.image == nil, let from = request.from {
      self.request.image = .generation(from.generationId, index: from.index)
    }
    // Recorded in full, so that history tells how the picture was to look.
    if request.recipe == .headshot, request.style == nil { self.request.style = Style() }
  }

  var isDetached: Bool { request.detach ?? false }
  var isPrivate: Bool { request.private ?? false }
  /// How many pictures are wanted.
  var wanted: Int { request.output?.count ?? 1 }

  /// What the provider is asked for the picture `index`.
  func imageRequest(index: Int, photo: [UInt8]?, timeoutMs: Int) -> ImageRequest {
    ImageRequest(
      recipe: request.recipe, photo: photo, style: request.style, variation: index, model: request.model,
      aspectRatio: request.output?.aspectRatio, size: request.output?.size, timeoutMs: timeoutMs)
  }
}
