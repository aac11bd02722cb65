import AtelierProtocol
import Store

extension SessionManager {
  /// Chooses and checks everything that can be known before the request is accepted.
  func plan(_ request: Generate, for caller: Caller) async throws -> GenerationWork {
    try request.validate()
    let account = try caller.account(naming: request.account)
    return GenerationWork(
      id: GenerationID(rawValue: surroundings.makeIdentifier("gen_")), account: account, request: request,
      lineup: try await lineup(for: request.completed, account: account), requestID: caller.requestID,
      wantsProgress: request.progress ?? caller.wantsProgress, createdAt: surroundings.now())
  }

  private func lineup(for request: Generate, account: AccountID) async throws -> ProviderLineup {
    // What was done already is answered, whatever has become of the photo and the providers since.
    if let key = request.idempotencyKey, let any = providers.all.first,
      try await openStore().generation(idempotencyKey: key, account: account) != nil
    {
      return ProviderLineup(first: any)
    }
    let lineup = try await monitor.lineup(
      for: request.imageRequest(variation: 0), wanted: request.provider, registry: providers)
    lineup.first.warmUp()
    for source in [request.image].compactMap({ $0 }) + (request.references ?? []) {
      try await intake.photos.check(source, account: account)
    }
    if let directory = request.output?.directory { try await OutputDirectory(path: directory).check() }
    return lineup
  }

  /// Writes the row, unless a generation has this idempotency key already.
  func accept(_ work: GenerationWork) async throws -> AcceptOutcome {
    try await openStore().accept(try work.acceptance())
  }
}
