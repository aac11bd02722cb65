import ArgumentParser
import AtelierProtocol
import Glibc
import Store

/// `atelier store copy`: moves a store to a server, or back.
struct StoreCopyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract: "Copy history, credits and queue from a data directory into a database on a server, or back.",
    discussion: """
      End all services first. What is copied stays where it was; where it goes must be empty. Every row is compared and the
      ledger is audited before anything is kept: broken off, the copy leaves nothing.

      The database that is filled is named with the role that owns its tables. Pictures stay in the data directory, which its
      services then need as well; if --data-dir names another one, they are linked there or copied. Back, they come from the
      one of --data-dir.

        atelier store copy --from ~/.local/share/atelier --to postgresql://atelier_owner@db.example/shop
        atelier store copy --from postgresql://atelier@db.example/shop --to ~/atelier-back
      """)

  @Option(help: "Where history and credits are: a data directory, or the address of a database on a server.",
    completion: .directory)
  var from: String

  @Option(help: "Where they go: the other of the two, empty.", completion: .directory)
  var to: String

  @OptionGroup var password: StorePasswordOption

  @Flag(help: "Do not ask before copying.")
  var yes = false

  @Flag(help: "Print the result as JSON.")
  var json = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard StoreAddress.isServer(from) != StoreAddress.isServer(to) else {
      throw ValidationError(
        StoreAddress.isServer(from)
          ? "One of --from and --to is a data directory. From one server to another, use pg_dump."
          : "One of --from and --to is an address such as postgresql://USER@HOST/DATABASE. From one data directory to "
            + "another, use `atelier backup` and `atelier restore`.")
    }
    guard !from.isEmpty, !to.isEmpty else { throw ValidationError("Name where from and where to.") }
  }

  func run() async throws {
    let report: StoreCopy.Report
    let isInBucket: Bool
    do {
      isInBucket = try await ConfigurationSource(common.settings).file.artifacts?.url != nil
      let copy = StoreCopy(
        from: try await place(from), to: try await place(to), directory: try directory(), hasPictures: !isInBucket,
        surroundings: EngineAssembly.storeSurroundings(StandardErrorLog.logger(common.settings)))
      try await Confirmation.ask("Copy history and credits from \(from) to \(to)?", yes: yes)
      let progress = CopyProgress()
      defer { progress.end() }
      report = try await copy.run { progress.show($0) }
    } catch {
      throw CommandFailure(error)
    }
    if json { try Console.printJSON(report) } else { print(report.to) }
    for sentence in sentences(about: report, isInBucket) { Console.tell(sentence) }
    // As of a backup: history and credits are there, and not everything.
    if !report.lost.isEmpty { throw ExitCode(1) }
  }

  /// Where the services of the database on the server have their pictures.
  private func directory() throws -> DataDirectory {
    if common.dataDirectory == nil, !StoreAddress.isServer(from) { return DataDirectory(path: from) }
    return try EngineAssembly.dataDirectory(common.settings)
  }

  private func place(_ text: String) async throws -> StoreCopy.Place {
    StoreAddress.isServer(text)
      ? .server(try await StoreAddress.server(text, password, common.settings))
      : .directory(DataDirectory(path: text))
  }

  private func sentences(about report: StoreCopy.Report, _ isInBucket: Bool) -> [String] {
    var all = [
      isInBucket
        ? "\(report.rows) rows are there. The pictures stay in the bucket."
        : "\(report.rows) rows and \(report.pictures) pictures are there, \(report.copied) pictures of them new."
    ]
    if !report.lost.isEmpty {
      all.append("\(report.lost.count) pictures are missing where they come from, such as \(report.lost[0].onOneLine).")
    }
    all.append(
      StoreAddress.isServer(to)
        ? "Start services with `store.url` in their configuration. \(report.from.onOneLine) stays as it is: no service must "
          + "work with it any more."
        : "Start services without `store.url` in their configuration. \(report.from.onOneLine) stays as it is: no service "
          + "must work with it any more.")
    return all + ["Check it with `atelier doctor` before you start them."]
  }
}

/// Shows on standard error how far a copy is: one changing line, at a terminal that can rewrite it.
private struct CopyProgress {
  private let terminal = Terminal(STDERR_FILENO)

  func show(_ progress: StoreCopy.Progress) {
    guard terminal.rewritesLines else { return }
    let text =
      switch progress {
      case .pictures(let done, let all): "\(done) of \(all) pictures"
      case .rows(let rows): "\(rows) rows"
      }
    Console.error("\r\u{1B}[K\(text)")
  }

  func end() {
    if terminal.rewritesLines { Console.error("\r\u{1B}[K") }
  }
}
