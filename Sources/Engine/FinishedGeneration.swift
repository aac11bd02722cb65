import AtelierProtocol
import Encodings
import JSON
import Store

/// The end of a generation: the answer to its caller, and the content of `generation/finished`.
public struct FinishedGeneration: Sendable, Equatable {
  public var generationId: GenerationID
  public var state: GenerationState
  /// The answer of a generation that succeeded, in part or whole, or was cancelled.
  public var result: Generate.Result?
  /// The error of a generation that ended without a result.
  public var error: AtelierError?

  /// Whether it ended with pictures.
  var hasPictures: Bool { state == .succeeded || state == .partial }

  /// The generation is no longer known here; the answer only to a caller that asks twice.
  static func vanished(_ id: GenerationID) -> FinishedGeneration {
    FinishedGeneration(generationId: id, state: .cancelled, error: AtelierError(.notFound, generationId: id))
  }

  /// It stays in the database for the next process.
  static func leftQueued(_ id: GenerationID) -> FinishedGeneration {
    FinishedGeneration(
      generationId: id, state: .queued,
      error: AtelierError(
        .interrupted, "The service is ending; the request stays queued and is done when it runs again.",
        generationId: id))
  }

  /// The same end as a `generation/finished` notification; never with inline data.
  func notification(at now: Timestamp) -> GenerationFinished {
    GenerationFinished(generationId: generationId, state: state, result: result, error: error?.body(at: now))
  }

  /// The result.
  /// - Throws: the error the generation ended with.
  public func answer() throws(AtelierError) -> Generate.Result {
    if let result { return result }
    throw error ?? AtelierError(.internal, "The generation ended without a result.", generationId: generationId)
  }
}

extension GenerationRow {
  /// The end of this generation, as its caller is answered.
  /// - Parameter data: the bytes of images to inline in the answer, by index.
  func finished(inlining data: [Int: [UInt8]] = [:]) -> FinishedGeneration {
    FinishedGeneration(
      generationId: id, state: state, result: result(inlining: data), error: endError)
  }

  /// The result; nil unless it ended with one.
  func result(inlining data: [Int: [UInt8]] = [:]) -> Generate.Result? {
    let outcome: Generate.Outcome
    switch state {
    case .succeeded: outcome = .succeeded
    case .partial: outcome = .partial
    case .cancelled: outcome = .cancelled
    case .queued, .running, .failed, .interrupted, .expired: return nil
    }
    return Generate.Result(
      generationId: id, outcome: outcome, recipe: recipe, template: request["template"]?.string,
      provider: provider ?? .ondevice, model: model ?? "",
      cached: isCached, images: generatedImages(inlining: data), text: text, warnings: warnings, failures: failures,
      usage: usage ?? Usage(), credits: credits ?? Credits(balanceAfter: nil),
      timings: timings ?? Timings())
  }

  /// The error of a generation that failed or otherwise ended without a result.
  private var endError: AtelierError? {
    switch state {
    case .failed: (error ?? AtelierError(.internal)).about(id)
    case .interrupted: (error ?? AtelierError(.interrupted)).about(id)
    case .expired: AtelierError(.timedOut, "The request waited too long and was given up.", generationId: id)
    case .queued, .running, .succeeded, .partial, .cancelled: nil
    }
  }

  private func generatedImages(inlining data: [Int: [UInt8]]) -> [GeneratedImage] {
    images.map { image in
      GeneratedImage(
        index: image.index, view: image.view, path: image.outputPath ?? image.artifact?.path,
        mimeType: image.mimeType, width: image.width, height: image.height, bytes: image.bytes,
        sha256: image.sha256, data: data[image.index].map(Base64.encoded))
    }
  }

  /// Its current state, for `status`.
  func status(at now: Timestamp) -> GenerationStatus {
    GenerationStatus(
      generationId: id, state: state, phase: state == .succeeded || state == .partial ? .saving : phase,
      message: state.isFinal ? state.sentence : message, fraction: state.isFinal ? nil : fraction, sequence: sequence,
      createdAt: created, startedAt: started, finishedAt: finished, account: account, recipe: recipe,
      provider: provider, error: endError?.body(at: finished ?? now), result: result())
  }

  /// Its entry in history.
  func entry(at now: Timestamp) -> History.Entry {
    History.Entry(
      generationId: id, createdAt: created, finishedAt: finished, recipe: recipe, state: state, prompt: prompt,
      style: style, template: request["template"]?.string, account: account, provider: provider, model: model,
      cached: isCached, images: generatedImages(inlining: [:]), thumbnail: thumbnail?.path,
      credits: History.Entry.Credits(cost: creditsCharged, balanceAfter: credits?.balanceAfter), parent: parent,
      regenerationOf: Regeneration(recordedIn: request)?.of, feedback: feedback, usage: usage ?? Usage(),
      timings: timings ?? Timings(), metadata: metadata, favourite: isFavourite ? true : nil,
      error: endError?.body(at: finished ?? now))
  }

  private var style: Style? {
    request["style"].flatMap { try? JSONValueDecoder(unknownMembers: .ignore).decode(Style.self, from: $0) }
  }

  /// The request as it was sent, to carry it out again.
  /// - Throws: `JSONDecodingFailure` when it is no longer readable.
  func requestAsSent() throws -> Generate {
    try JSONValueDecoder(unknownMembers: .ignore).decode(Generate.self, from: .object(request))
  }
}

extension GenerationState {
  /// The message for a person about a generation in this state.
  fileprivate var sentence: String {
    switch self {
    case .queued: "Waiting for a free place…"
    case .running: "Working…"
    case .succeeded: "Your picture is ready."
    case .partial: "Some of your pictures are ready."
    case .failed: "The picture could not be made."
    case .cancelled: "Cancelled."
    case .interrupted: "The service stopped before the picture was done."
    case .expired: "The request waited too long and was given up."
    }
  }
}
