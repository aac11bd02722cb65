import AtelierProtocol
import Encodings
import JSON
import Store

/// What tells a file of a generation from its others.
struct FileKey: Hashable {
  var role: FileRole
  var index: Int

  init(_ file: GenerationFile) {
    role = file.role
    index = file.index
  }
}

/// The bytes to send with a generation.
struct InlineBytes {
  private var bytes: [FileKey: [UInt8]] = [:]

  subscript(file: GenerationFile) -> [UInt8]? {
    get { bytes[FileKey(file)] }
    set { bytes[FileKey(file)] = newValue }
  }
}

extension GenerationFile {
  /// Where a host finds it: the copy in its own folder, or else the service's file.
  fileprivate var path: String? { outputPath ?? artifact?.path }
  /// The service's file, where ``path`` is a copy.
  fileprivate var storedPath: String? { outputPath == nil ? nil : artifact?.path }
}

extension GenerationRow {
  /// The generation as it is sent.
  /// - Parameter data: what to inline.
  func generation(inlining data: InlineBytes = InlineBytes()) -> Generation {
    Generation(
      generationId: id, state: state, recipe: recipe, account: account, createdAt: created, startedAt: started,
      finishedAt: finished, progress: state.isFinal ? nil : progress, prompt: prompt, style: style,
      templateId: request["templateId"]?.string, provider: provider, model: model, cached: isCached,
      images: generatedImages(inlining: data), thumbnail: thumbnail?.path, text: text, places: places, dropped: dropped,
      warnings: warnings, failures: failures, error: endError?.body(at: finished ?? created),
      credits: credits ?? Credits(balanceAfter: nil), usage: usage ?? Usage(), timings: timings ?? Timings(),
      parentGenerationId: parent, originalGenerationId: Regeneration(recordedIn: request)?.of,
      private: isPrivate ? true : nil, favorite: isFavorite ? true : nil, feedback: feedback, metadata: metadata)
  }

  /// The error of a generation that failed or otherwise ended without a result.
  private var endError: AtelierError? {
    switch state {
    case .failed: (error ?? AtelierError(.internal)).about(id)
    case .interrupted: (error ?? AtelierError(.interrupted)).about(id)
    case .expired: AtelierError(.timedOut, "The request waited too long for its provider and has expired.", generationId: id)
    case .queued, .running, .succeeded, .partial, .cancelled: nil
    }
  }

  private func generatedImages(inlining data: InlineBytes) -> [GeneratedImage] {
    images.map { image in
      GeneratedImage(
        index: image.index, view: image.view, path: image.path, storedPath: image.storedPath,
        mimeType: image.mimeType, width: image.width, height: image.height, bytes: image.bytes, sha256: image.sha256,
        data: data[image].map(Base64.encoded),
        matte: matte(of: image).map { matte in
          PictureMatte(
            path: matte.path, storedPath: matte.storedPath, mimeType: matte.mimeType, bytes: matte.bytes,
            sha256: matte.sha256, data: data[matte].map(Base64.encoded))
        })
    }
  }

  /// The progress last shared by the process that works on it.
  private var progress: Generation.Progress {
    Generation.Progress(
      sequence: sequence, phase: phase, message: message.text.isEmpty ? ProgressLog.firstMessage(in: phase) : message,
      fraction: fraction, overall: phase.overall(fraction))
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
