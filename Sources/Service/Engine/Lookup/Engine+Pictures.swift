import AtelierProtocol
import Store

/// The pictures of generations, and what they would cost.
extension Engine {
  /// The bytes of a picture as its provider delivered them.
  /// - Throws: as ``keptPicture(_:index:of:)``, and what the store throws.
  public func picture(_ id: GenerationID, index: Int, for caller: Caller) async throws -> [UInt8] {
    let kept = try await keptPicture(id, index: index, of: try caller.visibleAccount(naming: nil))
    return try await lazyStore.store().read(kept.file)
  }

  /// The generation as it reads once its pictures are on this machine: from a bucket, those are fetched that are not.
  /// - Throws: `not_found`, and what the store throws.
  public func fetchingPictures(of id: GenerationID, for caller: Caller) async throws -> Generation {
    let store = try await lazyStore.store()
    let account = try caller.visibleAccount(naming: nil)
    let row = try await store.existingGeneration(id, of: account)
    let missing = row.files.compactMap(\.artifact).filter { $0.path == nil }
    if missing.isEmpty { return row.generation() }
    for file in missing { _ = try await store.read(file) }
    return try await store.existingGeneration(id, of: account).generation()
  }

  /// The record of a picture whose file was kept.
  /// - Parameter account: the account that it must belong to; nil for any.
  /// - Throws: `not_finished`; `not_found` when there is no such picture or it was not kept.
  func keptPicture(_ id: GenerationID, index: Int, of account: AccountID?) async throws -> KeptPicture {
    let row = try await lazyStore.store().existingGeneration(id, of: account)
    guard row.state.isFinal else {
      throw AtelierError(
        .notFinished, hint: "Watch the generation with generation/watch.", generationId: id,
        details: ["state": .string(row.state.rawValue)])
    }
    do {
      return try KeptPicture(index, of: row)
    } catch {
      throw error.about(id)
    }
  }

  /// A picture as a small JPEG.
  /// - Parameters:
  ///   - longestSide: the most pixels of its longest side; fewer if it would be larger than `maximumBytes`.
  /// - Throws: as ``picture(_:index:for:)``, or why the worker could not make it.
  public func preview(
    _ id: GenerationID, index: Int, longestSide: Int, maximumBytes: Int, for caller: Caller
  ) async throws -> [UInt8] {
    try await preview(
      of: try await picture(id, index: index, for: caller), longestSide: longestSide, maximumBytes: maximumBytes)
  }

  /// The same of a picture that its generation hands over, because it is stored nowhere.
  /// - Throws: why the worker could not make it.
  public func preview(of bytes: [UInt8], longestSide: Int, maximumBytes: Int) async throws -> [UInt8] {
    var side = longestSide
    while true {
      let preview = try await imaging { try await worker.thumbnail(bytes, longestSide: side) }.bytes
      if preview.count <= maximumBytes || side <= 64 { return preview }
      side = side * 3 / 4
    }
  }

  /// A picture as a small PNG, for a terminal.
  /// - Parameter longestSide: the most pixels of its longest side.
  /// - Throws: as ``picture(_:index:for:)``, or why the worker could not make it.
  public func terminalPreview(
    _ id: GenerationID, index: Int, longestSide: Int, for caller: Caller
  ) async throws -> [UInt8] {
    let bytes = try await picture(id, index: index, for: caller)
    return try await imaging { try await worker.thumbnail(bytes, longestSide: longestSide, isPNG: true) }.bytes
  }

  /// The most credits that a request may cost, whether or not its account is metered: where it is not, somebody pays the
  /// provider for as many pictures, or for the list of places, unless it is free.
  /// - Throws: what `generate` would throw.
  public func price(of request: Generate, for caller: Caller) async throws -> Int {
    let account = try caller.account(naming: request.account)
    let asked = try await providers(for: request, of: caller).filter {
      configuration.credits.isMetered(account) || !$0.profile.isFree
    }
    return request.resultCount * (asked.map { configuration.credits.costs.perPicture(by: $0, for: request) }.max() ?? 0)
  }
}
