import AtelierProtocol
import Encodings
import Store

/// Status and cancellation of the generations of any process.
extension GenerationManager {
  /// Carries out `cancel`: repeated calls get the same answer.
  /// - Throws: `already_finished` with the state, `not_found`, `permission_denied`.
  public func cancel(_ request: Cancel, for caller: Caller) async throws -> Generation {
    let id = try await generation(named: request.target, account: request.account, for: caller, toCancel: true)
    let generation = try await cancelAnywhere(id)
    guard generation.state == .cancelled else {
      let state = generation.state.rawValue
      throw AtelierError(
        .alreadyFinished, ErrorKind.alreadyFinished.sentence,
        generationId: id, details: ["state": .string(state)])
    }
    return generation
  }

  /// Finds the generation a request names, live or stored. A look-up by key first waits until the requests that brought
  /// the key are decided: the id of an undecided one may turn out to be no generation's.
  /// - Parameter toCancel: whether the caller cancels what it finds.
  /// - Throws: `not_found` when this caller can see no such generation.
  func generation(
    named target: GenerationTarget, account: AccountID?, for caller: Caller, toCancel: Bool = false
  ) async throws -> GenerationID {
    switch target {
    case .id(let id):
      let visible = try caller.visibleAccount(naming: account)
      if let holder = self.account(of: id), visible == nil || holder == visible { return id }
      guard try await parts.lazyStore.store().generation(id, account: visible) != nil else {
        throw AtelierError.noGeneration(id.rawValue)
      }
      return id
    case .idempotencyKey(let key):
      let owner = try caller.account(naming: account)
      await arrivingKeys.decided(key, cancelling: toCancel ? owner : nil)
      if let id = accepted(key, of: owner) { return id }
      guard let row = try await parts.lazyStore.store().generation(idempotencyKey: key, account: owner) else {
        throw AtelierError.noGeneration(key)
      }
      return row.id
    }
  }

  /// The last of the caller's own idempotency keys on record that consist of `prefix` and digits; nil without one.
  public func lastKey(beginningWith prefix: String, for caller: Caller) async throws -> String? {
    try await parts.lazyStore.store().lastKey(beginningWith: prefix, account: caller.account(naming: nil))
  }

  /// Cancels a generation of this process, another process or a dead one.
  /// - Returns: the generation, which has ended, perhaps earlier.
  @discardableResult
  func cancelAnywhere(_ id: GenerationID) async throws -> Generation {
    if table[id] != nil {
      cancel(id)
      switch await wait(for: id, as: .request) {
      case .success(let generation): return generation
      case .failure(let error): if error.kind == .notFound { throw AtelierError.noGeneration(id.rawValue) }
      }
    }
    switch try await parts.lazyStore.store().cancel(id, account: nil) {
    case .cancelled(let row):
      await parts.balances.creditsChanged(by: [row])
      return row.generation()
    case .alreadyCancelled(let row), .alreadyFinished(let row): return row.generation()
    case .notFound: throw AtelierError.noGeneration(id.rawValue)
    }
  }

  /// The accepted generation of this process with this idempotency key and account.
  func accepted(_ key: String, of account: AccountID) -> GenerationID? {
    let known = table.generations.values.filter {
      $0.isAccepted && $0.work.account == account
        && $0.work.request.idempotencyKey.map { ExactText.areSame($0, key) } == true
    }
    // A key that may be tried again belongs to its next generation as soon as its last one has ended.
    return (known.first { !$0.isEnding } ?? known.first)?.work.id
  }

  /// Whether this process works on a generation of an account, which is then merged into no other.
  public func works(on id: GenerationID, of account: AccountID) -> Bool { self.account(of: id) == account }

  /// The account of an accepted generation of this process; nil when it belongs to another process.
  private func account(of id: GenerationID) -> AccountID? {
    table[id].flatMap { $0.isAccepted ? $0.work.account : nil }
  }

  /// The generations of an account that have not ended, in any process, oldest first.
  func openGenerations(of account: AccountID) async throws -> [GenerationID] {
    let ids = try await parts.lazyStore.store().running(account: account).map(\.id)
    // Generations of other processes may belong to dead ones.
    if works(onAll: ids) { return ids }
    await parts.lazyStore.recoverIfPossible()
    return try await parts.lazyStore.store().running(account: account).map(\.id)
  }

  /// A generation as it is now: from memory if it belongs to this process, else from the store, after dead processes are
  /// recovered.
  /// - Throws: `not_found`, `permission_denied`.
  func status(
    of target: GenerationTarget, account: AccountID?, for caller: Caller
  ) async throws -> Generation {
    let id = try await generation(named: target, account: account, for: caller)
    if let generation = await liveGeneration(id) { return generation }
    let store = try await parts.lazyStore.store()
    var row = try await store.generation(id, account: nil)
    if let known = row, !known.state.isFinal {
      await parts.lazyStore.recoverIfPossible()
      row = try await store.generation(id, account: nil)
    }
    guard let row else { throw AtelierError.noGeneration(id.rawValue) }
    return try await recorded(row)
  }

  /// A generation of another process, with its position in the queue.
  func recorded(_ row: GenerationRow) async throws -> Generation {
    var generation = row.generation()
    if row.state == .queued, let position = try await parts.lazyStore.store().queuePosition(of: row.id) {
      generation.progress?.queuePosition = position
      generation.progress?.etaMs = await estimate(for: row, at: position)
    }
    return generation
  }

  /// The balance of an account, and the refusal its request would meet now.
  /// - Parameters:
  ///   - metering: the charge of the request; nil asks for the balance alone.
  ///   - registers: whether an account never seen before is a guest from here on.
  func allowance(
    of account: AccountID, for recipe: Recipe, metering: Metering?, registers: Bool
  ) async throws -> (balance: CreditBalance, refusal: AtelierError?) {
    guard account != .owner else { return (.unmetered(account), nil) }
    let store = try await parts.lazyStore.store()
    guard let metering else {
      return (parts.configuration.credits.shown(try await store.creditBalance(of: account, registers: registers)), nil)
    }
    let allowance = try await store.allowance(of: account, for: recipe, metering: metering, registers: registers)
    guard let refusal = allowance.refusal, refusal.kind.consequences.isLiftedByAnEnd else { return allowance }
    await parts.lazyStore.recoverIfPossible()
    return try await store.allowance(of: account, for: recipe, metering: metering, registers: registers)
  }
}
