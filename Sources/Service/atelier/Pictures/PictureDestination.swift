import AtelierProtocol
import Glibc
import Imaging
import POSIX
import Store

/// Where the pictures of a command go, besides history.
enum PictureDestination: Sendable {
  case history
  case file(String)
  case standardOutput
  case folder(String)

  /// In bytes: leaves room for the recipe, a number and the extension in the 255 bytes that a name may have.
  private static let longestStem = 200

  init(_ options: PictureOptions) {
    switch (options.output, options.directory) {
    case ("-"?, _): self = .standardOutput
    case (let file?, _): self = .file(file)
    case (nil, let folder?): self = .folder(folder)
    case (nil, nil): self = .history
    }
  }

  /// Finds out before anything is made whether pictures can be written.
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
      case .folder(let path): try await Self.checkFolder(path)
      case .file(let path):
        let photos = jobs.compactMap(\.photoPath)
        let wantsMatte = jobs.contains { $0.request.output?.matte == true }
        try await LazyThreadPool.hostFiles.run {
          try Self.checkFile(path, besides: photos)
          if wantsMatte { try Self.checkFile(OutputName(path).mattePath, besides: photos) }
        }
        try await Self.checkFolder(OutputName(path).folder)
      }
    } catch {
      throw CommandFailure(error)
    }
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

  private static func checkFile(_ path: String, besides photos: [String]) throws {
    guard !path.isEmpty else { throw CommandFailure(sentence: "The name of the file to write is empty.") }
    if let other = OutputName(path).unmadeFormat {
      throw CommandFailure(
        sentence: "No provider makes pictures in the format “\(other)”. Name a file that ends in .jpg, .png or .webp.")
    }
    let target: FileStatus?
    do {
      target = try FileStatus(path: path, followingLinks: true)
    } catch {
      throw CommandFailure(sentence: "\(path) cannot be written: \(error.reason). Name another file.")
    }
    guard let target else { return }
    if target.isDirectory {
      throw CommandFailure(sentence: "\(path) is a folder. Name a file with -o, or the folder with --directory.")
    }
    guard target.isRegularFile else {
      throw CommandFailure(
        sentence: "\(path) is not a regular file. Name another one; -o - writes the picture to standard output.")
    }
    for photo in photos {
      if let status = try? FileStatus(path: photo, followingLinks: true), status.isSameFile(as: target) {
        throw CommandFailure(sentence: "\(path) is the photo itself, which would be lost. Name another file.")
      }
    }
  }

  /// The format to ask a provider for that makes any of `formats`: the one that the file's name asks for.
  /// - Returns: nil to leave the choice as it is.
  /// - Throws: the refusal of a name that asks for another format than the request, or than the provider makes: pictures
  ///   are written as they were made.
  func format(of formats: [PictureFormat], for request: Generate) throws(AtelierError) -> PictureFormat? {
    guard case .file(let path) = self, let asked = OutputName(path).format else { return nil }
    if let chosen = request.output?.format {
      guard ImageFormat(chosen) == asked else { throw Self.refusal(path, asked, makes: [chosen]) }
      return nil
    }
    guard let format = formats.first(where: { ImageFormat($0) == asked }) else {
      throw Self.refusal(path, asked, makes: formats)
    }
    return format == .standard(for: request.style?.background) ? nil : format
  }

  private static func refusal(_ path: String, _ asked: ImageFormat, makes formats: [PictureFormat]) -> AtelierError {
    let made = formats.map(ImageFormat.init)
    return AtelierError(
      .unsupportedByProvider,
      "\(path) asks for \(asked.name), but the picture is to be \(made.map(\.name).joined(separator: ", ")), and it is "
        + "written as it is made. Name a file that ends in .\(made.map(\.fileExtension).joined(separator: ", .")).")
  }

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
      throw Self.failure(error, keptAt: picture.path)
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
    case .folder(let folder):
      let photo = job.photoPath.map { OutputName($0).stem.cut(toBytes: Self.longestStem) }
      let stem = [photo ?? generation.generationId.rawValue, generation.recipe.rawValue, picture.view]
      let path = try await OutputDirectory(path: folder).place(
        bytes, stem: stem.compactMap { $0 }.joined(separator: "-"), fileExtension: ending, temporary: temporary,
        permissions: nil)
      return (path, nil)
    case .file(let path):
      let name = OutputName(path)
      if let asked = name.format, asked != format {
        let written = try await OutputDirectory(path: name.folder).place(
          bytes, stem: name.stem, fileExtension: ending, temporary: temporary, permissions: nil)
        let made = format?.name ?? picture.mimeType
        let notice = "\(path) asks for \(asked.name), but the provider made \(made), which is written as it is:"
        return (written, "\(notice) \(written)")
      }
      try await LazyThreadPool.hostFiles.run {
        try Self.replace(path, with: bytes, temporary: "\(name.folder)/\(temporary)")
      }
      return (path, nil)
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
    case .folder, .file:
      do {
        return try await write(matte, beside: OutputName(path), of: index, for: job)
      } catch {
        throw Self.failure(error, keptAt: matte.path)
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
      try await LazyThreadPool.hostFiles.run {
        try Self.replace(name.mattePath, with: bytes, temporary: "\(name.folder)/\(temporary)")
      }
      return name.mattePath
    }
    return try await OutputDirectory(path: name.folder).place(
      bytes, stem: name.matteStem, fileExtension: "png", temporary: temporary, permissions: nil)
  }

  /// What went wrong with a file that was to be written, and where it is kept.
  private static func failure(_ error: any Error, keptAt path: String?) -> AtelierError {
    var failure = AtelierError(wrapping: error)
    failure.message += path.map { " The picture is made and kept: \($0)" } ?? " The picture was private, so it is not kept."
    return failure
  }

  private static func writeToStandardOutput(_ bytes: [UInt8]) throws {
    do throws(SystemError) {
      try StandardOutput.shared.writeNow(bytes)
    } catch {
      throw AtelierError(.fileAccessDenied, error.description)
    }
  }

  private static func replace(_ path: String, with bytes: [UInt8], temporary: String) throws {
    do throws(FileFailure) {
      try FileSystem.replace(path, with: bytes, temporary: temporary, permissions: nil)
    } catch {
      throw error.isStorageFull
        ? AtelierError(.storageFull)
        : AtelierError(.fileAccessDenied, "\(path) cannot be written: \(error.reason).")
    }
  }
}

extension Generate {
  /// Asks for a format unless it is nil.
  /// - Throws: the refusal of a format that does not go with the rest.
  mutating func choose(_ format: PictureFormat?) throws(AtelierError) {
    guard let format else { return }
    var output = output ?? Output()
    output.format = format
    self.output = output
    try validate()
  }
}

extension ImageFormat {
  /// The name that people know.
  var name: String { self == .webp ? "WebP" : rawValue.uppercased() }
}
