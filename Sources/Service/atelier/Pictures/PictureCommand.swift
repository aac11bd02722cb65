import ArgumentParser
import AtelierProtocol
import Engine
import Glibc
import POSIX

/// A command that makes pictures: `generate` and its short forms differ in their options alone.
protocol PictureCommand: AsyncParsableCommand {
  var pictures: PictureOptions { get }
  var common: CommonOptions { get }
  /// How folders of photos are gone through.
  var folders: FolderSettings { get }
  /// The sheet that is made of each picture; nil for none.
  var sheet: PrintSheet? { get throws }

  /// What is asked for, without what ``PictureOptions`` says; one request for each photo or folder.
  /// - Throws: wrong usage.
  func requests() throws -> [(name: String?, request: Generate)]
}

extension PictureCommand {
  var folders: FolderSettings { FolderSettings() }
  var sheet: PrintSheet? { nil }

  func validate() throws { _ = try jobs() }

  func run() async throws {
    do {
      try await makePictures()
    } catch let error as ValidationError {
      throw error
    } catch {
      var failure = CommandFailure(error)
      failure.color = pictures.display.color
      throw failure
    }
  }

  private func makePictures() async throws {
    let jobs = try jobs()
    let destination = PictureDestination(pictures)
    try await destination.check(against: jobs)
    let supply = try PhotoSupply(jobs, options: folders, into: destination)
    try check(supply)
    let assembly = try await EngineAssembly(common.settings)
    let input = try await StandardInput.photo(
      ifIn: jobs.map(\.request), maximumBytes: assembly.configuration.maximumPrepareBytes)
    let isSeveral = jobs.count > 1 || supply.hasFolders
    let display = ProgressDisplay(count: 0, isSeveral: isSeveral, pictures.display.settings)
    let engine = try await assembly.openedEngine { announcement in
      if case .progress(let progress, _) = announcement { display.show(progress) }
    }
    var session = PictureSession(
      supply.reading(input),
      batch: PictureBatch(
        destination: destination, sheet: try sheet, engine: engine, display: display, isAgreed: pictures.yes),
      report: PictureReport(
        isJSON: pictures.json, isSeveral: isSeveral, isEndless: supply.isWatching, display: display,
        now: EngineAssembly.now),
      pause: { try await engine.surroundings.sleep(.seconds(1)) })
    do {
      let signal = try await session.run()
      display.finish()
      await engine.leave(milliseconds: 1000)
      try session.report.end(session.supply, signal: signal)
    } catch {
      display.finish()
      await engine.leave(milliseconds: 1000)
      throw error
    }
  }

  /// - Throws: wrong usage.
  private func jobs() throws -> [PictureJob] {
    let requests = try requests()
    let jobs = try requests.enumerated().map { position, wanted in
      var request = wanted.request
      var output = request.output ?? Generate.Output()
      output.count = output.mode == .multiAngle ? nil : pictures.count
      output.inline = PictureDestination(pictures).isWritten ? true : nil
      if pictures.size != nil, output.size != nil {
        throw ValidationError("--size and --pixels say the same: leave one of them out.")
      }
      (output.aspectRatio, output.size) = (pictures.aspectRatio, pictures.size ?? output.size)
      request.output = output
      request.references = pictures.reference.isEmpty ? nil : pictures.reference.map { .path($0) }
      request.provider = pictures.provider.map { ProviderChoice(ProviderID(rawValue: $0)) }
      request.model = pictures.model
      request.account = pictures.account.map { AccountID(rawValue: $0) }
      request.cache = pictures.cache
      request.private = pictures.private ? true : nil
      return PictureJob(position: position, name: wanted.name, request: try request.checked())
    }
    try check(jobs)
    return jobs
  }

  private func check(_ jobs: [PictureJob]) throws {
    let isSeveral = jobs.count > 1 || jobs.contains { $0.request.pictureCount > 1 }
    if pictures.output != nil {
      guard !isSeveral else {
        let names = jobs.compactMap(\.name)
        let several = names.count > 1 ? ", and \(names.count) photos are named (\(SomeNames(names)))" : ""
        throw ValidationError("-o takes one picture\(several): use --directory for several.")
      }
      guard pictures.output != "-" || !jobs.contains(where: { $0.request.output?.matte == true }) else {
        throw ValidationError("Standard output takes one picture, and the matte is another: name a file with -o.")
      }
      guard pictures.output != "-" || !pictures.json else {
        throw ValidationError("Standard output takes either the picture or JSON: name a file with -o.")
      }
    }
    guard [pictures.output != nil, pictures.directory != nil, pictures.noOutput].count(where: { $0 }) <= 1 else {
      throw ValidationError("Name one of -o, --directory and --no-output.")
    }
    guard !pictures.private || !pictures.noOutput else {
      throw ValidationError("A private picture is not kept: leave out --no-output.")
    }
    guard pictures.directory != nil || !folders.isRecursive && !folders.skipsExisting && !folders.isWatching else {
      throw ValidationError(
        "Name the folder for the pictures with --directory: --recursive, --skip-existing and --watch belong to it.")
    }
    guard StandardInput.uses(in: jobs.map(\.request)) <= 1 else {
      throw ValidationError("Standard input holds one picture: name - once.")
    }
    let hasSheet = try sheet != nil
    if hasSheet, pictures.noOutput {
      throw ValidationError("The sheet is a file: leave out --no-output.")
    }
    if hasSheet, pictures.output != nil, jobs.contains(where: { $0.request.output?.matte == true }) {
      throw ValidationError("-o takes the sheet alone: name a folder with --directory for the matte as well.")
    }
    for reference in pictures.reference { try WebAddress.refuse(reference) }
    for job in jobs {
      do throws(AtelierError) {
        try job.request.validate()
        if !hasSheet { try PictureDestination(pictures).checkName(for: job.request) }
      } catch {
        throw ValidationError(error.message)
      }
    }
  }

  /// What can be known of folders only once they are looked at.
  /// - Throws: `CommandFailure` for wrong usage.
  private func check(_ supply: PhotoSupply) throws {
    if let folder = supply.firstFolder, pictures.directory == nil {
      throw CommandFailure(
        sentence: "\(folder.onOneLine) is a folder: name another one for its pictures with --directory.",
        status: CommandFailure.wrongUsage)
    }
    guard supply.hasFolders || !folders.isWatching && !folders.isRecursive else {
      throw CommandFailure(
        sentence: "--watch and --recursive go through a folder: name one in place of the photos.",
        status: CommandFailure.wrongUsage)
    }
  }
}
