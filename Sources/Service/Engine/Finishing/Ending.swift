import AtelierProtocol
import JSON
import Store

/// The end of one generation before it is durable: copies are placed, then everything is written in one transaction.
struct Ending: Sendable {
  var work: GenerationWork
  /// The row as it was accepted.
  var row: GenerationRow
  /// The host's folder for copies; nil if the request names none.
  var output: OutputDirectory?
  var state: GenerationState
  var delivery: Delivery
  var error: AtelierError?
  var timings: Timings
  /// The progress at the end: the record says as much as the host was told.
  var lastNote: ProgressNote
  /// Why the end could not be written so far.
  var obstacle: AtelierError?
  /// What is handed over with the answer, because the store cannot keep it and it is nowhere else.
  var unkept: Delivery?

  /// The outcome of writing an end.
  enum Outcome: Sendable {
    /// The end is durable; every waiter receives it like this.
    case written(Generation)
    /// The store cannot take the end now but may later: the same end, with the work done for it so far and the error.
    case notNow(Ending)
  }

  /// Whether only a row must be written.
  var isBrief: Bool { state != .succeeded && state != .partial }

  /// Makes the ends durable, in one transaction if possible.
  /// - Parameter endings: brief ones.
  static func carryOut(_ endings: [Ending], lazyStore: LazyStore) async -> [Outcome] {
    if endings.count > 1 {
      let settlements = endings.map { ($0.settlement(copies: [:]), Optional($0.row)) }
      if let outcomes = try? await lazyStore.store().finish(settlements) {
        return zip(endings, outcomes).map { ending, outcome in .written(ending.finished(outcome)) }
      }
    }
    // Concurrently: if each has to wait in vain for another process, the waits overlap.
    return await withTaskGroup(of: (Int, Outcome).self) { group in
      for (number, ending) in endings.enumerated() {
        group.addTask { (number, await ending.carryOut(lazyStore: lazyStore)) }
      }
      var outcomes: [Int: Outcome] = [:]
      for await (number, outcome) in group { outcomes[number] = outcome }
      return endings.indices.compactMap { outcomes[$0] }
    }
  }

  /// Makes the end durable: the files first, then everything in one transaction.
  ///
  /// When that is impossible and waiting does not help, the generation fails with the error that says so, and none of the
  /// pictures is kept. Where it is the store that cannot, they are handed over with the answer; so they are when the calling
  /// task is cancelled.
  @concurrent
  func carryOut(lazyStore: LazyStore) async -> Outcome {
    var ending = self
    var copies: Copies = [:]
    do {
      if !isBrief, let obstacle = delivery.obstacle { throw obstacle }
      let store = try await lazyStore.store()
      if !isBrief {
        // Copies are not written into the host's folder and removed again with every try.
        if output != nil { try await store.checkReady() }
        do {
          copies = try await placeCopies()
        } catch where !Task.isCancelled {
          ending.obstacle = AtelierError(wrapping: error)
          if ending.obstacle?.kind == .overloaded { return .notNow(ending) }
          // Only the host can repair its own folder, so there is no waiting for it.
          return await ending.abandoned(as: .failed, lazyStore: lazyStore).carryOut(lazyStore: lazyStore)
        }
      }
      let outcome = try await store.finish(ending.settlement(copies: copies), of: row)
      if case .finished = outcome {} else { await output?.remove(Array(copies.values)) }
      return .written(ending.finished(outcome))
    } catch {
      await output?.remove(Array(copies.values))
      // Nobody waits any longer for a store that may not answer.
      let isGivenUp = Task.isCancelled
      let error =
        error is CancellationError ? ending.obstacle ?? AtelierError(.storageUnavailable) : AtelierError(wrapping: error)
      if error.kind == .notFound, let again = await ending.withFilesOfItsOwn(lazyStore: lazyStore) {
        return await again.carryOut(lazyStore: lazyStore)
      }
      ending.obstacle = error
      if !isBrief, !isGivenUp, error.kind.consequences.isOfTheStore {
        do {
          if try await ending.restageLostFiles(lazyStore: lazyStore) {
            return await ending.carryOut(lazyStore: lazyStore)
          }
        } catch {
          return .notNow(ending)
        }
      }
      let mayWait = error.isOfTheStoreForNow && delivery.obstacle == nil && !isGivenUp
      if isBrief || mayWait { return .notNow(ending) }
      return await ending.handingOver(lazyStore: lazyStore).carryOut(lazyStore: lazyStore)
    }
  }

  /// The same end as a failure whose answer hands the pictures over; those that can be are placed in the host's folder.
  func handingOver(lazyStore: LazyStore) async -> Ending {
    guard !isBrief else { return self }
    var unkept = delivery
    let copies = (try? await placeCopies()) ?? [:]
    for index in unkept.pictures.indices {
      for position in unkept.pictures[index].files.indices {
        let file = unkept.pictures[index].files[position].file
        unkept.pictures[index].files[position].file.outputPath = copies[FileKey(file)]
        unkept.pictures[index].files[position].file.source = .unstored(file.source.artifact)
      }
    }
    unkept.add(.unkept)
    var ending = await abandoned(as: .failed, lazyStore: lazyStore)
    ending.unkept = unkept
    return ending
  }

  /// The same end without what its answer has handed over.
  var answered: Ending {
    var ending = self
    ending.unkept = nil
    return ending
  }

  /// The size of its pictures in memory.
  var pictureBytes: Int { delivery.files.reduce(0) { $0 + $1.bytes.count } }

  /// Whether a provider that is not on this machine has made any of it.
  private var isPaidFor: Bool {
    guard !delivery.isCached else { return false }
    let makers = work.lineup.asked.filter { delivery.providers.contains($0.id) }
    return (makers.isEmpty ? [work.provider] : makers).contains { !$0.profile.isLocal }
  }

  /// The same end without its pictures, whose files are removed.
  func abandoned(as state: GenerationState, lazyStore: LazyStore) async -> Ending {
    var ending = self
    ending.state = state
    ending.error = state == .failed ? (error ?? obstacle ?? AtelierError(.internal)).about(work.id) : nil
    // The provider's work is done; another try would be paid again.
    if !isBrief, isPaidFor { ending.error?.details["mayHaveBeenCharged"] = true }
    ending.delivery = Delivery()
    if let store = await lazyStore.storeIfOpen {
      for artifact in delivery.stagedArtifacts { await store.discard(artifact) }
    }
    return ending
  }

  /// The answer to every waiter for an end without pictures that is not on record yet.
  var answerUnwritten: Generation {
    var unwritten = row
    unwritten.state = state
    unwritten.error = error
    unwritten.credits = row.credits.map { Credits(held: $0.held, charged: 0, released: $0.held, balanceAfter: nil) }
    return withUnkept(unwritten)
  }

  /// A row that says that it failed, with what could not be kept.
  private func withUnkept(_ row: GenerationRow) -> Generation {
    guard let unkept, row.state == .failed else { return row.generation() }
    var (row, data) = (row, InlineBytes())
    row.files = unkept.files.map(\.file)
    (row.text, row.warnings, row.failures) = (unkept.text, unkept.warnings, unkept.failures)
    (row.provider, row.model, row.usage) = (unkept.provider ?? row.provider, unkept.model ?? row.model, unkept.usage)
    for delivered in unkept.files { data[delivered.file] = delivered.bytes }
    var generation = row.generation(inlining: data)
    generation.places = unkept.list?.places
    generation.dropped = unkept.list?.dropped
    return generation
  }

  private func finished(_ outcome: FinishOutcome) -> Generation {
    switch outcome {
    case .finished(let row): unkept == nil ? withPlaces(row.generation(inlining: inlineData)) : withUnkept(row)
    case .alreadyFinal(let row): row.generation()
    case .taken(let row): Self.takenOver(row)
    case .deleted: cancelledUnseen
    }
  }

  /// For whoever waits here, it ends: the other process has no way to them.
  private static func takenOver(_ row: GenerationRow) -> Generation {
    var interrupted = row
    interrupted.state = .interrupted
    interrupted.error = AtelierError(.interrupted)
    return interrupted.generation()
  }

  /// The end with the list that is delivered; of a private generation the row has none.
  private func withPlaces(_ generation: Generation) -> Generation {
    var generation = generation
    if let list = delivery.list {
      generation.places = list.places
      generation.dropped = list.dropped
    }
    return generation
  }

  /// The generation was deleted while it ran: its waiters see it as cancelled.
  private var cancelledUnseen: Generation {
    var ending = self
    ending.state = .cancelled
    ending.error = nil
    return ending.answerUnwritten
  }

  /// The same end with new files in place of those of a cached earlier result, which was deleted from history in the
  /// same moment.
  /// - Returns: nil when this is not the case.
  private func withFilesOfItsOwn(lazyStore: LazyStore) async -> Ending? {
    guard delivery.isCached, delivery.files.contains(where: { $0.file.source.staged == nil }),
      let restaged = try? await delivery.restaged(in: lazyStore.store())
    else { return nil }
    var ending = self
    ending.delivery = restaged
    return ending
  }

  /// Stages files again that were removed before they got their place: the pictures are still in memory. A photo that is
  /// no longer is not kept.
  /// - Returns: whether there were any.
  private mutating func restageLostFiles(lazyStore: LazyStore) async throws -> Bool {
    let store = try await lazyStore.store()
    var isAnyLost = false
    for delivered in delivery.files where await store.hasLost(delivered.file.source) { isAnyLost = true }
    var inputs: [PreparedKeeping] = []
    for input in delivery.inputs where await !store.hasLost(input.source) { inputs.append(input) }
    guard isAnyLost || inputs.count < delivery.inputs.count else { return false }
    if isAnyLost { delivery = try await delivery.restaged(in: store) }
    delivery.inputs = inputs
    return true
  }

  private func settlement(copies: Copies) -> Settlement {
    let files = delivery.files.map { delivered in
      var file = delivered.file
      file.outputPath = copies[FileKey(file)]
      return file
    }
    return Settlement(
      id: work.id, state: state, files: files, text: delivery.text,
      places: delivery.list.map { DeliveredPlaces(places: $0.places, dropped: $0.dropped, credits: $0.credits) },
      provider: delivery.provider ?? error?.provider ?? work.provider.id,
      model: delivery.model ?? work.request.model, promptVersion: work.promptVersion, isCached: delivery.isCached,
      usage: delivery.usage, timings: timings, warnings: delivery.warnings, failures: recordedFailures,
      error: recordedError, lastNote: lastNote, inputs: delivery.inputs,
      cacheKey: work.isPrivate ? nil : delivery.cacheKey, turns: turns)
  }

  /// The error as it is stored; for a private generation without the provider's words, which may repeat the prompt.
  private var recordedError: AtelierError? {
    var recorded = error?.about(work.id)
    // The same key always returns the same answer.
    if work.request.idempotencyKey != nil, error?.leavesKeyUsable == false { recorded?.retryable = false }
    if work.isPrivate { recorded?.details.removeProviderWords() }
    return recorded
  }

  private var recordedFailures: [ImageFailure] {
    guard work.isPrivate else { return delivery.failures }
    return delivery.failures.map { failure in
      var recorded = failure
      recorded.error.data.details.removeProviderWords()
      return recorded
    }
  }

  /// What the model said with each picture, sent back to it when the conversation continues.
  private var turns: [StoredTurn] {
    delivery.pictures.compactMap { picture in
      picture.image.turn.map { StoredTurn(index: picture.index, json: $0.json) }
    }
  }

  /// The paths of the copies in the host's folder.
  private typealias Copies = [FileKey: String]

  private func placeCopies() async throws -> Copies {
    guard let output else { return [:] }
    var copies: Copies = [:]
    do {
      for delivered in delivery.files {
        let file = delivered.file
        let mark = file.view ?? (work.wanted > 1 ? "\(file.index)" : nil)
        let parts = [mark, file.role == .image ? nil : file.role.rawValue].compactMap(\.self)
        let stem = ([OutputDirectory.stem(of: work.request.recipe, work.id)] + parts).joined(separator: "-")
        copies[FileKey(file)] = try await output.place(
          delivered.bytes, stem: stem, fileExtension: file.source.artifact.fileExtension)
      }
      return copies
    } catch {
      await output.remove(Array(copies.values))
      throw error
    }
  }

  /// The bytes of each file, when the host wants them inline.
  private var inlineData: InlineBytes {
    var inline = InlineBytes()
    guard work.request.output?.inline == true else { return inline }
    for delivered in delivery.files { inline[delivered.file] = delivered.bytes }
    return inline
  }
}

extension JSONObject {
  fileprivate mutating func removeProviderWords() {
    for member in ["providerMessage", "modelText"] { self[member] = nil }
  }
}

extension Warning {
  /// What a person should know of pictures that are handed over.
  fileprivate static var unkept: Warning {
    Warning(
      kind: "not_stored",
      message: "This could not be stored, and nothing was charged. Save it now: it is kept nowhere.")
  }
}
