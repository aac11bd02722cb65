import AtelierProtocol
import Providers
import Store

/// What would come of a request if it were made now.
public struct Foresight: Sendable {
  /// The providers that would be asked, in this order.
  public var makers: [any ImageProvider]
  /// The most credits that the account would be charged; 0 where credits are not counted.
  public var credits: Int
  /// The earlier generation whose result answers the request at no cost; nil when the makers are asked.
  public var earlier: EarlierResult?

  /// A kept result of an identical request.
  public struct EarlierResult: Sendable, Equatable {
    public var generation: GenerationID
    public var createdAt: Timestamp
    /// The SHA-256 of its first picture, in hexadecimal.
    public var sha256: String
  }
}

extension Engine {
  /// What would come of a request, without accepting it: nothing is sent, held or kept.
  /// - Parameter maximumImageBytes: as of ``providers(for:of:maximumImageBytes:)``.
  /// - Throws: what `generate` would throw.
  public func foresee(
    _ request: Generate, for caller: Caller, maximumImageBytes: Int? = nil
  ) async throws -> Foresight {
    try request.validate()
    let account = try caller.account(naming: request.account)
    let access = PictureAccess(account: account, isConfined: caller.isConfined)
    let (lineup, refusal) = try await generations.planner.foresee(
      request.completed, for: access, of: caller, maximumImageBytes: maximumImageBytes)
    if let refusal { throw refusal }
    let metering = configuration.credits.metering(of: account, for: request, asking: lineup.asked)
    var foresight = Foresight(makers: lineup.asked, credits: metering?.credits ?? 0)
    let work = GenerationWork(
      id: "", account: account, request: request, template: try await generations.planner.template(for: request),
      lineup: lineup, metering: metering, requestID: nil, wantsProgress: false, createdAt: surroundings.now(),
      isConfined: caller.isConfined)
    // What is wrong with a picture or with the data directory, the generation itself tells.
    foresight.earlier = try? await earlierResult(of: work, for: caller)
    return foresight
  }

  private func earlierResult(of work: GenerationWork, for caller: Caller) async throws -> Foresight.EarlierResult? {
    guard work.mayBeAnsweredFromHistory else { return nil }
    var work = work
    // A large photo is prepared here only where that may save that it is sent.
    if !work.provider.profile.isLocal {
      work = work.with(try await fitting(work.request, for: caller), fingerprint: [])
    }
    let pictures = try await WorkPictures(of: work, intake: parts.intake, keepsPhoto: false)
    let store = try await lazyStore.store()
    guard let row = try await store.cachedResult(for: work.resultKey(of: pictures), account: work.account),
      let picture = row.images.first
    else { return nil }
    return Foresight.EarlierResult(generation: row.id, createdAt: row.created, sha256: picture.sha256)
  }

  /// Whether a file with these bytes is a picture that a generation made here, and that is kept.
  /// - Throws: what the store throws.
  public func hasMade(_ bytes: [UInt8]) async throws -> Bool {
    try await lazyStore.store().hasDelivered(bytes)
  }
}
