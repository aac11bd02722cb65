import AtelierProtocol
import Encodings
import Glibc
import Imaging
import Localization
import POSIX
import Store

/// Where the pictures of a command go, besides history.
enum PictureDestination: Sendable {
  /// Nowhere else.
  case history
  /// Beside the photo; those of no file into the working directory.
  case beside
  case file(OutputFile)
  case standardOutput
  case folder(String)

  /// In bytes: leaves room for the recipe, a number and the extension in the 255 bytes that a name may have.
  private static let longestStem = 200

  init(_ options: PictureOptions) {
    switch (options.output, options.directory) {
    case ("-"?, _): self = .standardOutput
    case (let file?, _): self = .file(OutputFile(path: file))
    case (nil, let folder?): self = .folder(folder)
    case (nil, nil): self = options.noOutput ? .history : .beside
    }
  }

  /// Whether the pictures are written by the command, which then needs their bytes.
  var isWritten: Bool { if case .history = self { false } else { true } }

  /// Finds out before anything is made whether pictures can be written, and makes the folder for them.
  /// - Throws: `AtelierError` or `CommandFailure`, with what to do about it.
  func check(against jobs: [PictureJob]) async throws {
    do {
      switch self {
      case .history: return
      case .standardOutput:
        guard isatty(STDOUT_FILENO) == 0 else {
          throw CommandFailure(
            sentence: "Standard output is a terminal: send the picture to a file or a program, or name a file with -o.")
        }
      case .beside:
        // What is kept stays in history where it cannot be written; what is private would be lost.
        for job in jobs where job.request.private == true { try await Self.checkFolder(Self.folder(beside: job)) }
      case .folder(let path):
        try await LazyThreadPool.hostFiles.run { try Self.makeFolder(path) }
        try await Self.checkFolder(path)
      case .file(let file):
        let photos = jobs.compactMap(\.photoPath)
        let wantsMatte = jobs.contains { $0.request.output?.matte == true }
        let folder = try await LazyThreadPool.hostFiles.run {
          if wantsMatte { _ = try file.matte.check(besides: photos) }
          return try file.check(besides: photos)
        }
        try await Self.checkFolder(folder)
      }
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Makes a folder with the rights that the umask leaves, unless something of that name is there.
  private static func makeFolder(_ path: String) throws {
    guard mkdir(path, 0o777) != 0, errno != EEXIST, errno != ENOENT else { return }
    throw CommandFailure(
      sentence: "The folder \(path) cannot be made: \(String(cString: strerror(errno))). Name another one.")
  }

  /// Permissions alone do not tell: some file systems, and root's permissions, promise what they do not keep.
  private static func checkFolder(_ path: String) async throws {
    try await OutputDirectory(path: path).check()
    try await LazyThreadPool.hostFiles.run {
      let file = "\(path)/.atelier-\(getpid()).partial"
      let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        throw CommandFailure(
          sentence: "No file can be made in the folder \(path): \(String(cString: strerror(errno))). Name another one.")
      }
      close(descriptor)
      unlink(file)
    }
  }

  // MARK: Names

  private static func folder(beside job: PictureJob) -> String { job.photoPath.map { OutputName($0).folder } ?? "." }

  /// The folder for the pictures of a job; nil when it is not one folder's business.
  func folder(for job: PictureJob) -> String? {
    switch self {
    case .history, .standardOutput, .file: nil
    case .beside: Self.folder(beside: job)
    case .folder(let folder): job.subfolder.map { "\(folder)/\($0)" } ?? folder
    }
  }

  /// The first name of a picture, without its extension.
  /// - Parameter generation: nil while it is not known; what comes from no file is then named after its recipe.
  func stem(of job: PictureJob, view: String?, generation: GenerationID?) -> String {
    let photo = job.photoPath.map { OutputName($0).stem.cut(toBytes: Self.longestStem) }
    let start = if case .beside = self { photo } else { photo ?? generation?.rawValue }
    return [start, job.request.recipe.rawValue, view].compactMap { $0 }.joined(separator: "-")
  }

  // MARK: Writing

  /// Writes a picture of `generation`.
  /// - Returns: the path to tell, if there is one, and what the person should know about it.
  /// - Throws: `AtelierError` that says where the picture is kept.
  func write(
    _ picture: GeneratedImage, of generation: Generation, for job: PictureJob
  ) async throws -> (path: String?, notice: String?) {
    if case .history = self { return (picture.path, nil) }
    do {
      guard let data = picture.data, let bytes = InlineImage(base64: data)?.decoded() else {
        throw AtelierError(.internal)
      }
      return try await write(bytes, picture, of: generation, for: job)
    } catch {
      if case .beside = self, let path = picture.path {
        return (path, "\(AtelierError(wrapping: error).message) The picture stays in the data directory.")
      }
      throw Self.failure(error, keptAt: picture.path, isPrivate: generation.private == true)
    }
  }

  private func write(
    _ bytes: [UInt8], _ picture: GeneratedImage, of generation: Generation, for job: PictureJob
  ) async throws -> (path: String?, notice: String?) {
    let format = ImageFormat.allCases.first { $0.mimeType == picture.mimeType }
    let temporary = ".atelier-\(getpid())-\(job.position)-\(picture.index).partial"
    let ending = format?.fileExtension ?? "bin"
    switch self {
    case .history: return (picture.path, nil)
    case .standardOutput:
      try await LazyThreadPool.hostFiles.run { try Self.writeToStandardOutput(bytes) }
      return (nil, nil)
    case .beside, .folder:
      let folder = folder(for: job) ?? "."
      if job.subfolder != nil { try await LazyThreadPool.hostFiles.run { try Self.makeFolders(folder) } }
      let path = try await OutputDirectory(path: folder).place(
        bytes, stem: stem(of: job, view: picture.view, generation: generation.generationId), fileExtension: ending,
        temporary: temporary, permissions: nil, from: job.firstNumber, keepsEqual: true)
      return (path.withoutCurrentFolder(unlessIn: job.photoPath), nil)
    case .file(let file):
      let name = OutputName(file.path)
      if let asked = name.format, asked != format {
        let written = try await OutputDirectory(path: name.folder).place(
          bytes, stem: name.stem, fileExtension: ending, temporary: temporary, permissions: nil, keepsEqual: true)
        let made = format?.name ?? picture.mimeType
        let notice = "\(file.path) asks for \(asked.name), but the provider made \(made), which is written as it is:"
        return (written, "\(notice) \(written)")
      }
      try await LazyThreadPool.hostFiles.run { try file.replace(with: bytes, temporary: temporary) }
      return (file.path, nil)
    }
  }

  /// Makes a folder and those above it that are missing.
  private static func makeFolders(_ path: String) throws {
    var folder = path.hasPrefix("/") ? "" : "."
    for component in path.split(separator: "/") {
      folder += "/\(component)"
      try makeFolder(folder)
    }
  }

  /// Writes a matte beside its picture, under the picture's name with `-matte`.
  /// - Parameter path: that of the picture, as it was written.
  /// - Returns: the path of the matte; nil if it has none.
  /// - Throws: `AtelierError`.
  func write(
    _ matte: PictureMatte, beside path: String?, of index: Int, for job: PictureJob
  ) async throws -> String? {
    guard let path else { return nil }
    switch self {
    case .history, .standardOutput: return matte.path
    case .beside, .folder, .file:
      do {
        return try await write(matte, beside: OutputName(path), of: index, for: job)
      } catch {
        if case .beside = self, let kept = matte.path { return kept }
        throw Self.failure(error, keptAt: matte.path, isPrivate: false)
      }
    }
  }

  private func write(
    _ matte: PictureMatte, beside name: OutputName, of index: Int, for job: PictureJob
  ) async throws -> String {
    guard let data = matte.data, let bytes = InlineImage(base64: data)?.decoded() else {
      throw AtelierError(.internal)
    }
    let temporary = ".atelier-\(getpid())-\(job.position)-\(index)-matte.partial"
    if case .file = self {
      let file = OutputFile(path: name.mattePath)
      try await LazyThreadPool.hostFiles.run { try file.replace(with: bytes, temporary: temporary) }
      return name.mattePath
    }
    let path = try await OutputDirectory(path: name.folder).place(
      bytes, stem: name.matteStem, fileExtension: "png", temporary: temporary, permissions: nil, keepsEqual: true)
    return path.withoutCurrentFolder(unlessIn: job.photoPath)
  }

  /// What went wrong with a file that was to be written, and where it is kept.
  /// The same error, which says where the picture is.
  static func failure(_ error: any Error, keptAt path: String?, isPrivate: Bool) -> AtelierError {
    var failure =
      (error as? CommandFailure).map { AtelierError(.fileAccessDenied, Sentence(verbatim: $0.sentence)) }
      ?? AtelierError(wrapping: error)
    let unnamed = isPrivate ? "The picture was private, so it is not kept." : "The picture is made and kept in history."
    let kept = path.map { "The picture is made and kept: \($0)" } ?? unnamed
    failure.sentence = failure.sentence.followed(by: Sentence(verbatim: kept))
    return failure
  }

  static func writeToStandardOutput(_ bytes: [UInt8]) throws {
    do throws(SystemError) {
      try StandardOutput.shared.writeNow(bytes)
    } catch {
      throw AtelierError(.fileAccessDenied, Sentence(verbatim: error.description))
    }
  }
}

extension OutputFile {
  /// The file of the picture's matte.
  var matte: OutputFile { OutputFile(path: OutputName(path).mattePath) }
}

extension String {
  /// The path without the `./` that nobody wrote.
  func withoutCurrentFolder(unlessIn photo: String?) -> String {
    hasPrefix("./") && photo?.hasPrefix("./") != true ? String(dropFirst(2)) : self
  }
}
