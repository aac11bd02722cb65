import AtelierProtocol
import Store

/// The end of one generation, to be made durable: copies placed, then everything in one transaction.
struct Ending: Sendable {
  var work: GenerationWork
  var state: GenerationState
  var delivery: Delivery
  var error: AtelierError?
  var timings: Timings

  /// Makes the end durable.
  ///
  /// Never throws: when the end cannot be recorded, the answer is the error that says so, nothing of the pictures is
  /// kept, and the row is settled as failed, or, if even that cannot be written, by whoever recovers this process's work.
  func carryOut(door: StoreDoor, surroundings: Surroundings) async -> FinishedGeneration {
    var copies: [String] = []
    do {
      let store = try await door.store()
      if state == .succeeded || state == .partial { copies = try await placeCopies() }
      switch try await store.finish(settlement(copies: copies)) {
      case .finished(let row):
        return row.finished(inlining: inlineData)
      case .alreadyFinal(let row):
        await OutputDirectory.remove(copies)
        return row.finished()
      case .deleted:
        await OutputDirectory.remove(copies)
        return .vanished(work.id)
      }
    } catch {
      await OutputDirectory.remove(copies)
      return await recordFailure(AtelierError(wrapping: error), door: door)
    }
  }

  private func recordFailure(_ cause: AtelierError, door: StoreDoor) async -> FinishedGeneration {
    var failed = self
    failed.state = .failed
    failed.delivery = Delivery()
    failed.error = cause.about(work.id)
    if let store = try? await door.store() {
      for artifact in delivery.stagedArtifacts { await store.discard(artifact) }
      if case .alreadyFinal(let row) = try? await store.finish(failed.settlement(copies: [])) { return row.finished() }
    }
    return FinishedGeneration(generationId: work.id, state: .failed, error: failed.error)
  }

  private func settlement(copies: [String]) -> Settlement {
    let images = delivery.pictures.enumerated().map { position, picture in
      SettledImage(
        index: picture.index, source: .staged(picture.staged), width: picture.image.width, height: picture.image.height,
        outputPath: copies.indices.contains(position) ? copies[position] : nil)
    }
    return Settlement(
      id: work.id, state: state, images: images, thumbnail: delivery.thumbnail, provider: work.provider.id,
      model: delivery.model ?? work.request.model, usage: delivery.usage, timings: timings,
      warnings: delivery.warnings, failures: delivery.failures, error: error?.about(work.id))
  }

  private func placeCopies() async throws -> [String] {
    guard let path = work.request.output?.directory else { return [] }
    let directory = OutputDirectory(path: path)
    var copies: [String] = []
    do {
      for picture in delivery.pictures {
        let stem = "\(work.request.recipe.rawValue)-\(work.id.rawValue)" + (work.wanted > 1 ? "-\(picture.index)" : "")
        let name = picture.staged.artifact.path.split(separator: ".").last.map(String.init) ?? "jpg"
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
