import AtelierClient
import HTTPTypes
import Hummingbird
import JSON

/// Everything that pages and apps can ask for, below `/api/v1`.
enum Routes {
  static let all: [Route] = SessionRoutes.all + PaymentRoutes.all + [
    Route(
      .post, "/photos", message: ImagePrepare.self,
      RouteDescription(
        summary: "Uploads a photo of at most 40 MB and prepares it; it is kept for a day", status: .created, body: [],
        takesPhoto: true), answer: Photos.prepare).counted(as: .photo),
    Route(
      .get, "/photos/{photo}", message: ImagePrepare.self,
      RouteDescription(summary: "A prepared photo to look at, of at most 1280 pixels a side", returned: .picture, query: []),
      answer: Photos.preview),

    Route(.post, "/generate", Generate.self, own: ["detach": true], status: .accepted).counted(as: .request),
    Route(.post, "/regenerate", Regenerate.self, own: ["detach": true], status: .accepted)
      .counted(as: .request),
    Route(.post, "/estimate", message: CreditsEstimate.self, RouteDescription(), answer: estimate),
    Route(.get, "/generations/{generation}", Status.self, .session, generation),
    Route(
      .get, "/generations/{generation}/events", message: GenerationWatch.self,
      RouteDescription(
        summary: "Server-sent events: each progress, and at last the generation as it ended", returned: .events, query: []),
      answer: EventStream.answer),
    Route(.post, "/generations/{generation}/cancel", Cancel.self, .session, generation),
    Route(.patch, "/generations/{generation}", HistoryAnnotate.self, .session, generation),
    Route(.delete, "/generations/{generation}", HistoryDelete.self, .session, generation),
    Route(
      .get, "/generations/{generation}/images/{index}", message: ImageRead.self,
      RouteDescription(summary: "A picture of a generation", returned: .picture, query: ["maxSide", "variant", "sheet"]),
      answer: Pictures.image),
    Route(
      .get, "/generations/{generation}/original", message: ImageRead.self,
      RouteDescription(
        summary: "The photo that a generation works from, as long as it is kept", returned: .picture, query: ["maxSide"]),
      answer: Pictures.original),
    Route(.post, "/feedback", FeedbackSubmit.self),

    Route(.get, "/history", History.self),
    Route(.delete, "/history", HistoryDelete.self, own: ["all": true]),
    Route(
      .get, "/history/export", message: History.self,
      RouteDescription(
        summary: "A ZIP file with the pictures and the entries of history", returned: .archive, query: []),
      answer: HistoryArchive.answer),
    Route(.get, "/sessions", SessionList.self),
    Route(.get, "/sessions/{session}", SessionGet.self, .session, ["sessionId": "session"]),
    Route(.get, "/usage", UsageStatistics.self),
    Route(.get, "/queue", QueueStatus.self),
    Route(.post, "/queue/pause", QueuePause.self),
    Route(.post, "/queue/resume", QueueResume.self),

    Route(.get, "/styles", StylesList.self, ownAccount: false),
    Route(
      .get, "/hairstyles", message: TemplatesList.self, RouteDescription(), answer: Hairstyles.list),
    Route(.get, "/hairstyles/{hairstyle}", TemplatesGet.self, .session, ["templateId": "hairstyle"], ownAccount: false),
    Route(
      .get, "/hairstyles/{hairstyle}/thumbnail", message: TemplatesGet.self,
      RouteDescription(summary: "A small picture of a hairstyle, if it has one", returned: .picture, query: []),
      answer: Hairstyles.thumbnail),
    Route(
      .get, "/providers", message: ProvidersList.self, RouteDescription(query: ["fetchModels"]), answer: providers),
    Route(
      .get, "/status", .personal, message: Status.self,
      RouteDescription(summary: "The state of the image service", query: [])
    ) { call in .json(try call.json(try await call.studio.send(Status()))) },
    Route(
      .get, "/openapi.json", .everybody, RouteDescription(summary: "This document", returned: .json)
    ) { call in .json(OpenAPI.document) },

    Route(.get, "/credentials", CredentialsStatus.self, .personal, ownAccount: false),
    Route(.put, "/credentials/{provider}", CredentialsSet.self, .personal, ["provider": "provider"], ownAccount: false),
    Route(
      .delete, "/credentials/{provider}", CredentialsDelete.self, .personal, ["provider": "provider"], ownAccount: false),

    Route(.get, "/credits", CreditsBalance.self),
    Route(.get, "/credits/history", CreditsHistory.self),
  ]

  /// Models are fetched with the operator's key: not for customers.
  private static func providers(_ call: Call) async throws -> Response {
    let params = call.query()
    if call.host.options.shop != nil, params["fetchModels"] != nil { throw WebError.personalOnly }
    return .json(try call.json(try await call.studio.send(try Params.message(ProvidersList.self, params))))
  }

  /// The account of an estimate stands where that of the request would.
  private static func estimate(_ call: Call) async throws -> Response {
    var params = try await call.object()
    try Params.check(params)
    let account = JSONValue.string(call.account.rawValue)
    if var regeneration = params["regenerate"]?.object {
      regeneration["account"] = account
      params["regenerate"] = .object(regeneration)
    } else {
      params["account"] = account
    }
    return .json(try call.json(try await call.studio.send(try Params.message(CreditsEstimate.self, params))))
  }

  /// The generation in the path.
  private static let generation = ["generationId": "generation"]
}
