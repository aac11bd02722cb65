import ArgumentParser
import AtelierProtocol
import Engine
import Glibc
import Imaging
import POSIX
import Store

/// `atelier doctor`: checks whether the installation is complete, and says how to repair it.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: """
      Check the libraries, worker and its confinement, models, data directory, database, ledger, templates, providers and \
      API keys.
      """,
    discussion: """
      Prints each finding and what to do about it as soon as it is found: ✓ is good, ✗ is wrong, – is something optional
      that is not there, such as an API key. The exit code is 1 if anything is wrong.

        atelier doctor
        atelier doctor --json | jq '.findings[] | select(.ok | not)'

      A clock that is more than two days ahead of all records is not trusted: nothing expires and nothing is
      deleted for its age until the clock has run for a day, or you confirm it:

        atelier doctor --confirm-clock
      """)

  @Flag(help: "Print the findings as JSON.")
  var json = false

  @Flag(help: "Confirm this machine's clock; nothing else is checked.")
  var confirmClock = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    if confirmClock {
      let now = try await EngineAssembly.withStore(common.settings) { try await $0.confirmClock() }
      return try show([Finding(topic: "clock", sentence: "It is \(now.localText). What is over by then expires.")])
    }
    var findings = Findings(areShown: !json)
    findings.add([
      Finding(topic: "version", sentence: "Atelier \(Version.current), protocol \(ProtocolVersion.current).")
    ])
    do {
      let assembly = try await assembly(&findings)
      findings.add(await workerFindings(assembly.worker))
      findings.add(await Self.modelFindings(assembly.worker, NetworkCatalogue(path: assembly.directory.models)))
      let bucket = await bucketFindings()
      findings.add(await storeFindings(assembly, hasBucketAnswered: bucket != nil))
      findings.add(bucket ?? [Self.silence("bucket", "The bucket has not answered")])
      let engine = assembly.engine { _ in }
      findings.add(await templateFindings(engine))
      findings.add(
        await Timeout.answer { await Self.providerFindings(engine) }
          ?? [Self.silence("providers", "The database, which has the pauses of providers, has not answered")])
      findings.add(await keyFindings(assembly))
      // Releases the worker as well, and the store if the engine opened it.
      _ = await Timeout.answer { await engine.leave(milliseconds: 0) }
    } catch {
      findings.add([Finding(topic: "installation", .fault, sentence: CommandFailure(error).sentence)])
    }
    if json { try Console.printJSON(Report(findings: findings.all)) }
    if findings.all.contains(where: { !$0.ok }) { throw ExitCode(1) }
  }

  /// What was found so far.
  private struct Findings {
    let areShown: Bool
    private(set) var all: [Finding] = []

    init(areShown: Bool) { self.areShown = areShown }

    /// Each is shown at once: the next check may take long.
    mutating func add(_ found: [Finding]) {
      all += found
      guard areShown else { return }
      for finding in found { print(finding.line) }
      StandardOutput.shared.flush()
    }
  }

  private static func silence(_ topic: String, _ what: String) -> Finding {
    Finding(
      topic: topic, .fault,
      sentence: "\(what) in time. Make sure that it runs, and that nothing on the way to it takes what is sent and drops "
        + "it.")
  }

  /// The parts with their configuration; with the defaults if the file cannot be used, so that the rest can be checked.
  private func assembly(_ findings: inout Findings) async throws -> EngineAssembly {
    do {
      let source = try await ConfigurationSource(common.settings)
      let assembly = try await EngineAssembly(common.settings, source)
      try await source.check()
      if let path = source.path {
        findings.add([Finding(topic: "configuration", sentence: "\(path) can be used.")])
      }
      return assembly
    } catch let failure as ConfigurationFailure {
      findings.add([
        Finding(
          topic: "configuration", .fault,
          sentence: "\(failure.sentence) No service starts with it. The rest is checked with the defaults.")
      ])
      return try await EngineAssembly(common.settings, ConfigurationSource())
    }
  }

  private func workerFindings(_ worker: ImagingWorker) async -> [Finding] {
    do {
      let versions = try await worker.versions()
      return [
        Finding(topic: "worker", sentence: "The imaging worker starts and answers."),
        confinementFinding(worker.confinement),
        Self.libraryFinding(versions),
        Finding(
          topic: "models", versions.modelsUsable ? .good : .fault,
          sentence: versions.modelsUsable
            ? "The three networks are the ones this version was built with, and run."
            : (versions.modelsProblem ?? "The networks cannot be used.") + " Install Atelier again."),
      ]
    } catch {
      let sentence = Self.sentence(about: AtelierError(wrapping: error), said: await worker.startupDiagnostics)
      return [Finding(topic: "worker", .fault, sentence: sentence)]
    }
  }

  static func libraryFinding(_ versions: VersionsJob.Report) -> Finding {
    let missing = ImageFormat.allCases.filter { !versions.readableFormats.contains($0) }
    let libraries = "libvips \(versions.libvips) with " + (versions.libheif.map { "libheif \($0)" } ?? "no libheif")
    guard !missing.isEmpty else {
      return Finding(
        topic: "libraries", sentence: "\(libraries) reads every format, also HEIC as telephones write it.")
    }
    // Debian has the codecs of libheif in packages of their own since version 13.
    let codecs = missing.compactMap { [.heic: "libheif-plugin-libde265", .avif: "libheif-plugin-dav1d"][$0] }
    return Finding(
      topic: "libraries", .fault,
      sentence: "\(libraries) cannot read \(missing.map(\.rawValue).joined(separator: ", ")). Install libvips with libheif "
        + "and its codecs" + (codecs.isEmpty ? "." : "; on newer Debian and Ubuntu: \(codecs.joined(separator: ", "))."))
  }

  private func confinementFinding(_ confinement: WorkerConfinement?) -> Finding {
    guard let confinement, confinement.seccomp else {
      return Finding(
        topic: "confinement", .fault,
        sentence: "The kernel does not filter the imaging worker's system calls. Decode only pictures that you trust.")
    }
    let landlock =
      confinement.landlockAbi > 0
      ? "Landlock (version \(confinement.landlockAbi)) closes the file system to it"
      : "this kernel has no Landlock to close the file system to it as well"
    let rest = [
      confinement.namespaces ? "It has namespaces of its own." : nil,
      confinement.dumpable ? "Debuggers can read its memory." : nil,
    ]
    return Finding(
      topic: "confinement",
      sentence: (["The imaging worker can make only listed system calls; \(landlock)."] + rest.compactMap(\.self))
        .joined(separator: " "))
  }

  /// - Parameter diagnostics: what the worker, or the loader in its place, wrote before it ended.
  static func sentence(about failure: AtelierError, said diagnostics: String) -> String {
    if let library = diagnostics.firstMatch(of: /error while loading shared libraries: ([^:\s]+): cannot open/)?.output.1 {
      // Whatever library of the worker it is, the package of libvips brings it along.
      return "The imaging worker cannot start, because the library \(library) is missing. Install libvips; on Debian and "
        + "Ubuntu: sudo apt-get install libvips42"
    }
    let said = diagnostics.split(separator: "\n").joined(separator: " ")
    return said.isEmpty ? failure.forOperators : "\(failure.forOperators) It said: \(said)"
  }

  /// - Parameter hasBucketAnswered: false for a bucket that says nothing: it is not asked for every picture.
  private func storeFindings(_ assembly: EngineAssembly, hasBucketAnswered: Bool) async -> [Finding] {
    // What is wrong with a server may be why nothing else can be looked at.
    let first = await Timeout.answer { () async -> Result<[IntegrityReport.Finding], any Error> in
      do { return .success(try await assembly.withStore { try await $0.serverFindings() }) } catch { return .failure(error) }
    }
    guard let first else { return [Self.silence("data directory", "The database has not answered")] }
    var server: [Finding] = []
    do {
      server = Self.findings(try first.get())
      guard hasBucketAnswered else { return server }
      let (report, status) = try await assembly.withStore { (try await $0.check(), await $0.status()) }
      let whole = Finding(
        topic: "database",
        sentence: "The database (schema \(status.schemaVersion)), its ledger and \(report.artifactsChecked) pictures "
          + "are whole.")
      return [Finding(topic: "data directory", sentence: "\(status.path) can be used.")]
        + (report.isSound ? [whole] : []) + Self.findings(report.findings) + server
        + [
          Finding(
            topic: "clock", status.clockDoubt == nil ? .good : .fault,
            sentence: status.clockDoubt.map { CommandWords.sentence($0.sentence) }
              ?? "The clock agrees with what is on record.")
        ]
    } catch {
      return [Finding(topic: "data directory", .fault, sentence: CommandFailure(error).sentence)] + server
    }
  }

  private static func findings(_ findings: [IntegrityReport.Finding]) -> [Finding] {
    findings.map {
      Finding(
        topic: $0.kind == .brokenLedger ? "ledger" : "database",
        [.serverAdvice, .unfinishedDeletion].contains($0.kind) ? .lack : $0.isHarmless ? .good : .fault,
        sentence: $0.sentence)
    }
  }

  /// Faults of the configuration itself are told with it.
  /// - Returns: nil when the bucket says nothing.
  private func bucketFindings() async -> [Finding]? {
    guard let source = try? await ConfigurationSource(common.settings), let bucket = try? source.file.artifacts?.bucket()
    else { return [] }
    let probe = "probe-\(UInt64.random(in: 0...UInt64.max))"
    let check = BucketCheck(settings: bucket, probe: probe)
    // It asks several questions.
    return await Timeout.answer(within: Timeout.longest * 2) { await check.findings() }
  }

  private func templateFindings(_ engine: Engine) async -> [Finding] {
    let problems = await engine.templateProblems()
    if problems.isEmpty {
      return [
        Finding(topic: "templates", sentence: "The library has \(await engine.templateCount()) hairstyles.")
      ]
    }
    return problems.map {
      Finding(topic: "templates", .fault, sentence: "A file of templates is not used. \($0.sentence)")
    }
  }

  private static func providerFindings(_ engine: Engine) async -> [Finding] {
    let listed = try? await engine.listProviders(ProvidersList())
    return (listed?.providers ?? []).map { provider in
      // Without a key a provider is not used, which is not a fault.
      Finding(
        topic: "provider \(provider.id.rawValue)", provider.available ? .good : provider.needsKey ? .lack : .fault,
        sentence: provider.available
          ? "\(provider.title): ready."
          : [provider.reason?.text ?? "\(provider.title): not available.", provider.hint].compactMap(\.self)
            .joined(separator: " "))
    }
  }

  private func keyFindings(_ assembly: EngineAssembly) async -> [Finding] {
    await assembly.credentials.status(for: .operator).providers.map { entry in
      Finding(
        topic: "API key \(entry.provider.rawValue)",
        entry.reason != nil ? .fault : entry.configured ? .good : .lack,
        sentence: entry.sentence(file: assembly.credentials.filePath))
    }
  }

  private func show(_ findings: [Finding]) throws {
    if json { return try Console.printJSON(Report(findings: findings)) }
    for finding in findings { print(finding.line) }
  }

  /// What a finding means.
  enum Mark: String {
    case good = "✓"
    /// Something optional is not there.
    case lack = "–"
    case fault = "✗"
  }

  /// One item that was checked.
  struct Finding: Encodable, Sendable {
    var topic: String
    /// False for a fault.
    var ok: Bool
    /// True for something optional that is not there; absent otherwise.
    var lack: Bool?
    /// The finding, and what to do if it is not good.
    var sentence: String

    init(topic: String, _ mark: Mark = .good, sentence: String) {
      self.topic = topic
      self.sentence = sentence
      ok = mark != .fault
      lack = mark == .lack ? true : nil
    }

    fileprivate var line: String { "\(mark.rawValue) \(topic): \(sentence)" }

    var mark: Mark { ok ? lack == true ? .lack : .good : .fault }
  }

  struct Report: Encodable, Sendable {
    var findings: [Finding]
  }
}
