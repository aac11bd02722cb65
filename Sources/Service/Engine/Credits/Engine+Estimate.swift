import AtelierProtocol
import Store

extension Engine {
  /// The cost of a request and whether it would be accepted now; nothing is made or held.
  /// - Throws: errors of `generate` that do not depend on the moment, such as `wrong_recipe_input`; the answer reports
  ///   the others.
  public func estimate(_ estimate: CreditsEstimate, for caller: Caller) async throws -> CreditsEstimate.Result {
    switch estimate.subject {
    case .generate(let request):
      return try await self.estimate(request, fingerprint: try request.completed.fingerprint(), for: caller)
    case .regenerate(let regenerate):
      let (request, repetition) = try await generations.planner.unfold(regenerate, for: caller)
      return try await self.estimate(request, fingerprint: repetition.fingerprint, for: caller)
    }
  }

  private func estimate(
    _ request: Generate, fingerprint: [UInt8], for caller: Caller
  ) async throws -> CreditsEstimate.Result {
    try request.validate()
    let account = try caller.account(naming: request.account)
    if let earlier = try await generations.planner.answered(request, of: account) {
      return try await repeated(request, fingerprint: fingerprint, as: earlier, of: account, for: caller)
    }
    let (lineup, refusal) = try await generations.planner.foresee(
      request.completed, for: PictureAccess(account: account, isConfined: caller.isConfined), of: caller)
    let metering = configuration.credits.metering(of: account, for: request, asking: lineup.asked)
    let allowance = try await generations.allowance(
      of: account, for: request.recipe, metering: metering, registers: caller.registersAccounts)
    let missingConsent = try await parts.missingConsent(of: account)
    if refusal == nil, missingConsent == nil, let missing = allowance.refusal, missing.kind == .insufficientCredits,
      try await isAnsweredFromHistory(
        request, of: account, isConfined: caller.isConfined, by: lineup, metering: metering, else: missing)
    {
      return result(
        cost: 0, images: request.pictureCount, provider: lineup.first.id, balance: allowance.balance, refusal: nil)
    }
    return result(
      cost: metering?.credits ?? 0, images: request.pictureCount, provider: lineup.first.id,
      balance: allowance.balance, refusal: refusal ?? missingConsent ?? allowance.refusal)
  }

  private func isAnsweredFromHistory(
    _ request: Generate, of account: AccountID, isConfined: Bool, by lineup: ProviderLineup, metering: Metering?,
    else refusal: AtelierError
  ) async throws -> Bool {
    let work = GenerationWork(
      id: "", account: account, request: request, template: try await generations.planner.template(for: request),
      lineup: lineup, metering: metering, requestID: nil, wantsProgress: false, createdAt: surroundings.now(),
      isConfined: isConfined)
    let acceptor = RequestAcceptor(parts: parts, store: try await lazyStore.store())
    return try await acceptor.answeredFromHistory(work, else: refusal) != nil
  }

  /// A request with a used key costs nothing more: it is answered with the earlier result, or refused.
  private func repeated(
    _ request: Generate, fingerprint: [UInt8], as earlier: GenerationRow, of account: AccountID, for caller: Caller
  ) async throws -> CreditsEstimate.Result {
    let isSame = fingerprint == earlier.paramsHash
    return result(
      cost: 0, images: 0, provider: earlier.provider ?? .ondevice,
      balance: try await generations.allowance(
        of: account, for: request.recipe, metering: nil, registers: caller.registersAccounts
      ).balance,
      refusal: isSame ? nil : AtelierError(.idempotencyMismatch))
  }

  private func result(
    cost: Int, images: Int, provider: ProviderID, balance: CreditBalance, refusal: AtelierError?
  ) -> CreditsEstimate.Result {
    CreditsEstimate.Result(
      cost: cost, images: images, provider: provider, balance: balance, allowed: refusal == nil,
      refusal: refusal.map { configuration.credits.offeringMore($0).body(at: surroundings.now()) })
  }
}
