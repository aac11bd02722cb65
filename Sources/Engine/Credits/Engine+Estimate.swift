import AtelierProtocol
import Providers
import Store

extension Engine {
  /// What a request would cost and whether it would be accepted now; nothing is made or set aside.
  /// - Throws: what `generate` refuses whenever it is asked, such as `wrong_recipe_input`; what may be otherwise in a
  ///   moment is told in the answer.
  public func estimate(_ estimate: CreditsEstimate, for caller: Caller) async throws -> CreditsEstimate.Result {
    switch estimate.subject {
    case .generate(let request):
      return try await self.estimate(request, fingerprint: try request.completed.fingerprint(), for: caller)
    case .regenerate(let regenerate):
      let (request, repetition) = try await sessions.unfold(regenerate, for: caller)
      return try await self.estimate(request, fingerprint: repetition.fingerprint, for: caller)
    }
  }

  private func estimate(
    _ request: Generate, fingerprint: [UInt8], for caller: Caller
  ) async throws -> CreditsEstimate.Result {
    try request.validate()
    let account = try caller.account(naming: request.account)
    if let earlier = try await sessions.earlier(request, of: account) {
      return try await repeated(request, fingerprint: fingerprint, as: earlier, of: account)
    }
    let (lineup, refusal) = try await sessions.foresee(request.completed, account: account)
    let metering = configuration.credits.metering(of: account, for: request, asking: lineup.asked)
    let allowance = try await sessions.allowance(of: account, for: request.recipe, metering: metering)
    return result(
      cost: metering?.credits ?? 0, images: request.pictureCount, provider: lineup.first.id,
      balance: allowance.balance, refusal: refusal ?? allowance.refusal)
  }

  /// A request whose key was used costs nothing more: it is answered with what was made then, or refused.
  private func repeated(
    _ request: Generate, fingerprint: [UInt8], as earlier: GenerationRow, of account: AccountID
  ) async throws -> CreditsEstimate.Result {
    let isSame = fingerprint == earlier.paramsHash
    return result(
      cost: 0, images: 0, provider: earlier.provider ?? .ondevice,
      balance: try await sessions.allowance(of: account, for: request.recipe, metering: nil).balance,
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
