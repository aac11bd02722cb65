/// What a file of a generation is. Another kind of output is another role.
public enum FileRole: String, Sendable, CaseIterable {
  /// A picture that was asked for.
  case image
  /// The opacity of the person in an image, as large as the image.
  case matte
  /// A small picture for history.
  case thumbnail
}

/// A file of a generation: to be recorded with its end, or as it is on record.
public struct GenerationFile: Sendable, Equatable {
  public var role: FileRole
  /// The position of the image which it is or belongs to among the requested images, from 0.
  public var index: Int
  /// `front`, `left`, `right`, `back` for an image of a multi-angle generation.
  public var view: String?
  /// Where its bytes are. A private generation keeps only the description, ``ArtifactSource/unstored(_:)``.
  public var source: ArtifactSource
  /// Pixels.
  public var width: Int
  /// Pixels.
  public var height: Int
  /// The copy in the caller's output directory, when one was asked for.
  public var outputPath: String?
  /// Its cost in credits held for its generation, while its end is being recorded; 0 when it is free.
  public var credits: Int

  public init(
    _ role: FileRole = .image, index: Int = 0, view: String? = nil, source: ArtifactSource, width: Int, height: Int,
    outputPath: String? = nil, credits: Int = 0
  ) {
    self.role = role
    self.index = index
    self.view = view
    self.source = source
    self.width = width
    self.height = height
    self.outputPath = outputPath
    self.credits = credits
  }

  /// The SHA-256 of the bytes, 64 lowercase hexadecimal digits.
  public var sha256: String { source.artifact.sha256 }
  public var mimeType: String { source.artifact.mimeType }
  public var bytes: Int { source.artifact.bytes }

  /// The file; nil when none is kept, because the generation is private.
  public var artifact: StoredArtifact? {
    if case .unstored = source { nil } else { source.artifact }
  }

  /// The file as it reads once it is on record.
  func recorded(isPrivate: Bool) -> GenerationFile {
    var file = self
    file.source = isPrivate ? .unstored(source.artifact) : .stored(source.artifact)
    file.view = view.map(StoredText.readable)
    file.outputPath = outputPath.map(StoredText.readable)
    file.credits = 0
    return file
  }
}

extension Sequence<GenerationFile> {
  /// Those of one role, in their order.
  public func with(_ role: FileRole) -> [GenerationFile] { filter { $0.role == role } }
}

extension Store {
  /// Inserts the rows of a file and of its bytes, unless none are kept, in the caller's transaction.
  /// - Parameter known: see ``record(_:known:in:now:)``.
  func insert(
    _ file: GenerationFile, of generation: GenerationRow, known: inout Set<String>, into session: any SQLSession
  ) throws {
    if !generation.isPrivate { try record(file.source, known: &known, in: session, now: surroundings.now()) }
    try session.files.insert(file.recorded(isPrivate: generation.isPrivate), of: generation.id)
  }
}
