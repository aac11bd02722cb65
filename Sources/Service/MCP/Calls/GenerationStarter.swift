import AtelierProtocol
import Encodings
import Engine
import JSON

/// Starts generations, so that an impatient client pays once: a call with the same arguments as an earlier one joins its
/// generation while that is being made, and receives its pictures if nobody has received them yet. After that, the same
/// arguments make new pictures.
///
/// The table holds for this process. For others there are the idempotency keys: the digest of the arguments, the ten
/// minutes in which it was called, and how many calls before it had ended by then.
actor GenerationStarter {
  private struct Started {
    var id: GenerationID
    var atMs: Int64
  }

  /// How long the same arguments mean the same picture, in milliseconds.
  static let windowMs: Int64 = 600_000
  /// How many further keys are tried where one cannot be used because its generation was deleted from history.
  private static let mostUnusable = 4

  private let engine: Engine
  private let caller: Caller
  private let interest: CallInterest
  private var undelivered: [CallDigest: Started] = [:]

  init(engine: Engine, account: AccountID, interest: CallInterest) {
    self.engine = engine
    self.interest = interest
    caller = Caller(of: account)
  }

  /// The generation that a call with this digest joins, which it waits for from here on; nil when it starts one.
  func join(_ digest: CallDigest) async throws -> Generation? {
    if let started = undelivered[digest], engine.surroundings.uptimeMs() - started.atMs < Self.windowMs,
      let generation = await joined(started.id)
    {
      return generation
    }
    for window in [currentWindow - 1, currentWindow] {
      if let found = try await lookUp(digest, in: window).underWay, let generation = await joined(found.generationId) {
        return remember(generation, as: digest)
      }
    }
    return nil
  }

  /// Starts a generation, or joins that of an identical call at the same moment; it is on record when this returns, and
  /// the call waits for it from here on. Cancelling the calling task does not cancel it.
  /// - Throws: the refusal of the request.
  func start(_ request: Generate, _ digest: CallDigest) async throws -> Generation {
    let first = try await nextNumber(of: digest)
    var number = first.number
    while true {
      let isLast = number == first.number + Self.mostUnusable
      do {
        let now = try await begin(request, Self.key(digest, first.window, number))
        if now.state != .cancelled || isLast { return remember(now, as: digest) }
        // It was that of another call, which has given up in the same moment.
        await interest.end(in: now.generationId)
      } catch let error as AtelierError where [.notFound, .idempotencyMismatch].contains(error.kind) && !isLast {
        // The other call has prepared what the file was then, so its request differs.
        if let other = try await join(digest) { return other }
      }
      number += 1
    }
  }

  /// The number of the generation that a call with this digest would start now.
  func nextNumber(of digest: CallDigest) async throws -> CallNumber {
    let window = currentWindow
    return CallNumber(window: window, number: try await lookUp(digest, in: window).ended)
  }

  /// Starts the generation of a number, or joins it if it was started before, also when its pictures were received.
  /// - Returns: nil when there is none to be had under this number: it was cancelled, or deleted from history.
  /// - Throws: the refusal of the request.
  func start(_ request: Generate, _ digest: CallDigest, as number: CallNumber) async throws -> Generation? {
    do {
      let now = try await begin(request, Self.key(digest, number.window, number.number))
      if now.state != .cancelled { return remember(now, as: digest) }
      await interest.end(in: now.generationId)
      return nil
    } catch let error as AtelierError where [.notFound, .idempotencyMismatch].contains(error.kind) {
      return try await join(digest)
    }
  }

  /// The generation of an idempotency key as it is once the interest of the call is on record.
  private func begin(_ request: Generate, _ key: String) async throws -> Generation {
    var request = request
    (request.detach, request.idempotencyKey) = (true, key)
    let started = Task { [engine, caller, request] in try await engine.generations.generate(request, for: caller) }
    let generation = try await started.value
    await interest.begin(in: generation.generationId)
    return (try? await engine.generation(generation.generationId, for: caller)) ?? generation
  }

  /// Its pictures are received, so the same arguments ask for others from now on.
  func delivered(_ id: GenerationID) {
    undelivered = undelivered.filter { $0.value.id != id }
  }

  /// The generation once the interest of the call is on record; nil when it has come to nothing by then, or was deleted.
  private func joined(_ id: GenerationID) async -> Generation? {
    await interest.begin(in: id)
    if let generation = try? await engine.generation(id, for: caller), !generation.state.isFinal || generation.hasResult {
      return generation
    }
    await interest.end(in: id)
    return nil
  }

  private func remember(_ generation: Generation, as digest: CallDigest) -> Generation {
    let now = engine.surroundings.uptimeMs()
    undelivered = undelivered.filter { now - $0.value.atMs < Self.windowMs }
    undelivered[digest] = Started(id: generation.generationId, atMs: now)
    return generation
  }

  /// The generations with this digest of one window: the one under way, and how many have ended.
  private func lookUp(_ digest: CallDigest, in window: Int64) async throws -> (underWay: Generation?, ended: Int) {
    // All before the last one on record have ended, for a call takes the next number only then.
    let prefix = Self.prefix(digest, window)
    let last = try await engine.generations.lastKey(beginningWith: prefix, for: caller).flatMap {
      Int($0.dropFirst(prefix.count))
    }
    var ended = last ?? 0
    while true {
      do {
        let key = Status(target: .idempotencyKey(Self.key(digest, window, ended)))
        guard case .generation(let generation) = try await engine.status(key, for: caller) else { return (nil, ended) }
        if !generation.state.isFinal { return (generation, ended) }
      } catch let error as AtelierError where error.kind == .notFound {
        // One that is on record was deleted from history.
        guard ended == last else { return (nil, ended) }
      }
      ended += 1
    }
  }

  private var currentWindow: Int64 { engine.surroundings.now().milliseconds / Self.windowMs }

  /// The number has as many digits for each, so that the order of the texts is theirs.
  private static func key(_ digest: CallDigest, _ window: Int64, _ number: Int) -> String {
    prefix(digest, window) + String(1_000_000 + number).dropFirst()
  }

  private static func prefix(_ digest: CallDigest, _ window: Int64) -> String {
    "mcp-\(Hexadecimal.text(digest.bytes))-\(window)-"
  }
}
