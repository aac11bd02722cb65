import AtelierProtocol
import JSON
import Providers
import Store

/// The end of one generation, to be made durable: copies placed, then everything in one transaction.
struct Ending: Sendable {
  var work: GenerationWork
  /// As it was accepted.
  var row: GenerationRow
  var state: GenerationState
  var delivery: Delivery
  var error: AtelierError?
  var timings: Timings
  /// Where it stood at the end: the record is to say as much as the host was told.
  var lastNote: ProgressNote
  /// Why it could not be written so far.
  var obstacle: AtelierError?

  /// What became of an end.
  enum Outcome: Sendable {
    /// It is durable; this is what everybody is answered.
    case written(FinishedGeneration)
    /// The store cannot take it now and may later: the same end, with what was done for it so far and the error.
    case notNow(Ending)
  }

  /// Whether nothing but a row is to be written.
  var isBrief: Bool { state != .succeeded && state != .partial }

  /// Makes the ends durable, all in one transaction where that can be.
  /// - Parameter endings: brief ones.
  static func carryOut(_ endings: [Ending], lazyStore: LazyStore) async -> [Outcome] {
    if endings.count > 1 {
      let settlements = endings.map { ($0.settlement(copies: []), Optional($0.row)) }
      if let outcomes = try? await lazyStore.store().finish(settlements) {
        return zip(endings, outcomes).map { ending, outcome in .written(ending.finished(outcome)) }
      }
    }
    // Side by side: where each waits in vain for another process, they wait together.
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
  /// When that can never be, as where the host's folder may not be written, the generation fails with the error that
  /// says so, and nothing of the pictures is kept.
  @concurrent
  func carryOut(lazyStore: LazyStore) async -> Outcome {
    var ending = self
    var copies: [String] = []
    do {
      let store = try await lazyStore.store()
      if !isBrief {
        do {
          copies = try await placeCopies()
        } catch {
          // The host's folder is the host's to mend: nobody waits for that.
          ending.obstacle = AtelierError(wrapping: error)
          return await ending.abandoned(as: .failed, lazyStore: lazyStore).carryOut(lazyStore: lazyStore)
        }
      }
      let outcome = try await store.finish(ending.settlement(copies: copies), of: row)
      if case .finished = outcome {} else { await OutputDirectory.remove(copies) }
      return .written(ending.finished(outcome))
    } catch {
      await OutputDirectory.remove(copies)
      let error = AtelierError(wrapping: error)
      if error.kind == .notFound, let again = await ending.withFilesOfItsOwn(lazyStore: lazyStore) {
        return await again.carryOut(lazyStore: lazyStore)
      }
      ending.obstacle = error
      if isBrief || error.isOfTheStoreForNow { return .notNow(ending) }
      return await ending.abandoned(as: .failed, lazyStore: lazyStore).carryOut(lazyStore: lazyStore)
    }
  }

  /// The same end without its pictures, whose files are removed.
  func abandoned(as state: GenerationState, lazyStore: LazyStore) async -> Ending {
    var ending = self
    ending.state = state
    ending.error = state == .failed ? (error ?? obstacle ?? AtelierError(.internal)).about(work.id) : nil
    ending.delivery = Delivery()
    if let store = await lazyStore.openedStore() {
      for artifact in delivery.stagedArtifacts { await store.discard(artifact) }
    }
    return ending
  }

  /// What everybody is answered of an end without pictures that is not on record yet.
  var answerUnwritten: FinishedGeneration {
    var unwritten = row
    unwritten.state = state
    unwritten.error = error
    unwritten.credits = row.credits.map { Credits(held: $0.held, charged: 0, released: $0.held, balanceAfter: nil) }
    return unwritten.finished()
  }

  private func finished(_ outcome: FinishOutcome) -> FinishedGeneration {
    switch outcome {
    case .finished(let row): row.finished(inlining: inlineData)
    case .alreadyFinal(let row): row.finished()
    case .deleted: cancelledUnseen
    }
  }

  /// Somebody deleted the generation while it ran: to whoever waits for it, it is cancelled.
  private var cancelledUnseen: FinishedGeneration {
    var ending = self
    ending.state = .cancelled
    ending.error = nil
    return ending.answerUnwritten
  }

  /// The same with new files in place of those of an earlier result that answers: it was deleted from history in the
  /// same moment.
  /// - Returns: nil where there is nothing of the kind to mend.
  private func withFilesOfItsOwn(lazyStore: LazyStore) async -> Ending? {
    guard delivery.isCached, delivery.pictures.contains(where: { $0.source.staged == nil }),
      let restaged = try? await delivery.restaged(in: lazyStore.store())
    else { return nil }
    var ending = self
    ending.delivery = restaged
    return ending
  }

  private func settlement(copies: [String]) -> Settlement {
    let images = delivery.pictures.enumerated().map { position, picture in
      SettledImage(
        index: picture.index, view: picture.view?.rawValue, source: picture.source, width: picture.image.width,
        height: picture.image.height, outputPath: copies.indices.contains(position) ? copies[position] : nil,
        credits: picture.credits)
    }
    return Settlement(
      id: work.id, state: state, images: images, text: delivery.text,
      provider: delivery.provider ?? error?.provider ?? work.provider.id,
      model: delivery.model ?? work.request.model, promptVersion: work.promptVersion, isCached: delivery.isCached,
      usage: delivery.usage, timings: timings, warnings: delivery.warnings, failures: recordedFailures,
      error: recordedError, lastNote: lastNote, prepared: delivery.inputs.first { $0.reference == nil },
      preparedReferences: delivery.inputs.filter { $0.reference != nil },
      cacheKey: work.isPrivate ? nil : delivery.cacheKey, turns: turns)
  }

  /// The error as it is kept: that of a private generation without the provider's words, which may repeat the prompt
  ///.
  private var recordedError: AtelierError? {
    var recorded = error?.about(work.id)
    // The same key brings the same answer, however often it is sent.
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

  /// What the model said with each picture, to be given back when the conversation goes on.
  private var turns: [SettledTurn] {
    delivery.pictures.compactMap { picture in
      picture.image.turn.map { SettledTurn(index: picture.index, json: $0.json) }
    }
  }

  private func placeCopies() async throws -> [String] {
    guard let path = work.request.output?.directory else { return [] }
    let directory = OutputDirectory(path: path)
    var copies: [String] = []
    do {
      for picture in delivery.pictures {
        let mark = picture.view?.rawValue ?? (work.wanted > 1 ? "\(picture.index)" : nil)
        let stem = OutputDirectory.stem(of: work.request.recipe, work.id) + (mark.map { "-\($0)" } ?? "")
        let name = picture.source.artifact.path.split(separator: ".").last.map(String.init) ?? "jpg"
        copies.append(try await directory.place(picture.image.bytes, stem: stem, fileExtension: name))
      }
      return copies
    } catch {
      await OutputDirectory.remove(copies)
      throw error
    }
  }

  /// The bytes of each image by its index, when the host wants them in the answer.
  private var inlineData: [Int: [UInt8]] {
    guard work.request.output?.inline == true else { return [:] }
    return Dictionary(delivery.pictures.map { ($0.index, $0.image.bytes) }, uniquingKeysWith: { first, _ in first })
  }
}

extension JSONObject {
  fileprivate mutating func removeProviderWords() {
    for member in ["providerMessage", "modelText"] { self[member] = nil }
  }
}

/// What the work on a generation brought: pictures durable in the store's temporary place, and what went wrong.
struct Delivery: Sendable {
  struct Picture: Sendable {
    var index: Int
    var view: View?
    var image: ProviderImage
    /// Where its bytes are: new ones staged, those of an earlier result kept already.
    var source: ArtifactSource
    /// What it costs, by who made it.
    var credits: Int
  }

  var pictures: [Picture] = []
  /// The photo and the pictures to go by, to be kept.
  var inputs: [PreparedKeeping] = []
  /// True when an earlier result answers; nobody was asked, and nothing is charged.
  var isCached = false
  /// What an identical request is known by from now on; nil where these may not answer it.
  var cacheKey: [UInt8]?
  var failures: [ImageFailure] = []
  var warnings: [Warning] = []
  /// Who made the first of them.
  var provider: ProviderID?
  /// Who made any of them.
  var providers: Set<ProviderID> = []
  var model: String?
  /// Words the model gave with them.
  var text: String?
  var usage = Usage()

  /// Every file that waits for a row.
  var stagedArtifacts: [StagedArtifact] {
    (pictures.map(\.source) + inputs.map(\.source)).compactMap(\.staged)
  }

  /// Says each thing once.
  mutating func add(_ warning: Warning) {
    if !warnings.contains(warning) { warnings.append(warning) }
  }
}
