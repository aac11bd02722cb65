import AtelierProtocol
import Engine
import JSON
import JSONRPC

/// A protocol method and its implementation.
struct Route: Sendable {
  let method: String
  /// Urgent methods are admitted even when too many requests are in flight: those that end or inspect work.
  let isUrgent: Bool
  /// Whether a request may become a generation, which others find by its idempotency key.
  let generates: Bool
  /// Decodes the params, carries out the request, encodes the answer.
  let perform: @Sendable (_ request: Request, _ caller: Caller, _ engine: Engine) async throws -> JSONValue

  /// - Parameter answer: carries out the request; throws `AtelierError`, or `CancellationError` when the request was
  ///   cancelled.
  init<Message: RequestMessage>(
    _ type: Message.Type, urgent isUrgent: Bool = false, generates: Bool = false,
    answer: @escaping @Sendable (Message, Caller, Engine) async throws -> Message.Result
  ) {
    method = Message.method
    self.isUrgent = isUrgent
    self.generates = generates
    perform = { request, caller, engine in
      do {
        let message = try JSONValueDecoder(unknownMembers: .reject).decode(Message.self, from: .object(request.params))
        let result = try await answer(message, caller, engine)
        return try JSONValueEncoder(in: caller.language, confined: caller.isConfined, to: engine.configuration.access)
          .encode(result)
      } catch let failure as JSONDecodingFailure {
        throw ResponseError.invalidParams(failure)
      } catch let cancellation as CancellationError {
        throw cancellation
      } catch {
        throw AtelierError(wrapping: error).response(to: request.id, at: engine.surroundings.now(), in: caller.language)
      }
    }
  }
}

extension Route {
  /// Every method except those of the connection itself, which ``Service`` answers.
  private static let all: [Route] = [
    Route(Generate.self, generates: true) { try await $2.generations.generate($0, for: $1) },
    Route(Regenerate.self, generates: true) { try await $2.generations.regenerate($0, for: $1) },
    Route(Cancel.self, urgent: true) { try await $2.generations.cancel($0, for: $1) },
    Route(Status.self, urgent: true) { try await $2.status($0, for: $1) },
    Route(GenerationWatch.self) { try await $2.generations.watch($0, for: $1) },
    Route(ImageRead.self) { try await $2.readImage($0, for: $1) },
    Route(ImageLink.self) { try await $2.linkImage($0, for: $1) },
    Route(ImagePrepare.self) { try await $2.prepare($0, for: $1) },
    Route(StylesList.self) { _, _, engine in await engine.listStyles() },
    Route(TemplatesList.self) { try await $2.listTemplates($0, for: $1) },
    Route(TemplatesGet.self) { message, _, engine in try await engine.template(message) },
    Route(ProvidersList.self) { message, _, engine in try await engine.listProviders(message) },
    Route(History.self) { try await $2.history($0, for: $1) },
    Route(HistoryGet.self) { try await $2.historyEntry($0, for: $1) },
    Route(HistoryAnnotate.self) { try await $2.annotate($0, for: $1) },
    Route(HistoryDelete.self) { try await $2.deleteHistory($0, for: $1) },
    Route(HistoryExport.self) { try await $2.exportHistory($0, for: $1) },
    Route(FeedbackSubmit.self) { try await $2.keepFeedback($0, for: $1) },
    Route(UsageStatistics.self) { try await $2.statistics($0, for: $1) },
    Route(SessionList.self) { try await $2.listSessions($0, for: $1) },
    Route(SessionGet.self) { try await $2.session($0, for: $1) },
    Route(QueueStatus.self, urgent: true) { try await $2.queueStatus(of: $1.accountOrEverybody(naming: $0.account)) },
    Route(QueuePause.self) { try await $2.pauseQueue($0, for: $1) },
    Route(QueueResume.self) { try await $2.resumeQueue($0, for: $1) },
    Route(AccountGet.self) { try await $2.account($0, for: $1) },
    Route(AccountSignIn.self) { try await $2.signIn($0, for: $1) },
    Route(AccountSignOut.self) { try $2.signOut($0, for: $1) },
    Route(AccountConsent.self) { try await $2.recordConsent($0, for: $1) },
    Route(AccountDelete.self) { try await $2.deleteAccount($0, for: $1) },
    Route(AccountSet.self) { try await $2.set($0, for: $1) },
    Route(CreditsBalance.self) { try await $2.balance($0, for: $1) },
    Route(CreditsEstimate.self) { try await $2.estimate($0, for: $1) },
    Route(CreditsHistory.self) { try await $2.creditHistory($0, for: $1) },
    Route(CreditsGrant.self) { try await $2.grant($0, for: $1) },
    Route(CreditsRevoke.self) { try await $2.revoke($0, for: $1) },
    Route(CreditsProducts.self) { _, _, engine in engine.products() },
    Route(CreditsPurchase.self) { try await $2.purchase($0, for: $1) },
    Route(CredentialsSet.self) { try await $2.setCredential($0, for: $1) },
    Route(CredentialsStatus.self) { _, caller, engine in try await engine.credentialStatus(for: caller) },
    Route(CredentialsDelete.self) { try await $2.deleteCredential($0, for: $1) },
  ]

  private static let byMethod = Dictionary(uniqueKeysWithValues: all.map { ($0.method, $0) })

  /// The route of a method; nil for an unknown one.
  static func of(_ method: String) -> Route? { byMethod[method] }
}
