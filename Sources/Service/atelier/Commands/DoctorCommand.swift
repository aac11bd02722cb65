import ArgumentParser
import AtelierProtocol
import Engine
import Glibc
import Imaging
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
      Prints each finding and what to do about it: ✓ is good, ✗ is wrong, – is something optional that is not there,
      such as an API key. The exit code is 1 if anything is wrong.

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
    var findings = [
      Finding(topic: "version", sentence: "Atelier \(Version.current), protocol \(ProtocolVersion.current).")
    ]
    do {
      let assembly = try await assembly(&findings)
      findings += await workerFindings(assembly.worker)
      findings += await storeFindings(assembly)
      findings += await bucketFindings()
      let engine = assembly.engine { _ in }
      findings += await templateFindings(engine)
      findings += await providerFindings(engine)
      findings += await keyFindings(assembly)
      // Releases the worker as well, and the store if the engine opened it.
      await engine.leave(milliseconds: 0)
    } catch {
      findings.append(Finding(topic: "installation", .fault, sentence: CommandFailure(error).sentence))
    }
    try show(findings)
    if findings.contains(where: { !$0.ok }) { throw ExitCode(1) }
  }

  /// The parts with their configuration; with the defaults if the file cannot be used, so that the rest can be checked.
  private func assembly(_ findings: inout [Finding]) async throws -> EngineAssembly {
    do {
      let source = try await ConfigurationSource(common.settings)
      let assembly = try await EngineAssembly(common.settings, source)
      try await source.check()
      if let path = source.path {
        findings.append(Finding(topic: "configuration", sentence: "\(path) can be used."))
      }
      return assembly
    } catch let failure as ConfigurationFailure {
      findings.append(
        Finding(
          topic: "configuration", .fault,
          sentence: "\(failure.sentence) No service starts with it. The rest is checked with the defaults."))
      return try await EngineAssembly(common.settings, ConfigurationSource())
    }
  }

  private func workerFindings(_ worker: ImagingWorker) async -> [Finding] {
    do {
      let versions = try await worker.versions()
      let missing = ImageFormat.allCases.filter { !versions.readableFormats.contains($0) }.map(\.rawValue)
      return [
        Finding(topic: "worker", sentence: "The imaging worker starts and answers."),
        confinementFinding(worker.confinement),
        Finding(
          topic: "libraries", missing.isEmpty ? .good : .fault,
          sentence: missing.isEmpty
            ? "libvips \(versions.libvips) reads every format."
            : "libvips \(versions.libvips) cannot read \(missing.joined(separator: ", ")). Install libvips with libheif."),
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

  private func storeFindings(_ assembly: EngineAssembly) async -> [Finding] {
    var server: [Finding] = []
    do {
      // What is wrong with a server may be why nothing else can be looked at.
      server = Self.findings(try await assembly.withStore { try await $0.serverFindings() })
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
        $0.kind == .serverAdvice ? .lack : $0.isHarmless ? .good : .fault,
        sentence: $0.sentence)
    }
  }

  /// Faults of the configuration itself are told with it.
  private func bucketFindings() async -> [Finding] {
    guard let source = try? await ConfigurationSource(common.settings), let bucket = try? source.file.artifacts?.bucket()
    else { return [] }
    let probe = "probe-\(UInt64.random(in: 0...UInt64.max))"
    return await BucketCheck(settings: bucket, probe: probe).findings()
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

  private func providerFindings(_ engine: Engine) async -> [Finding] {
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
    if json {
      try Console.printJSON(Report(findings: findings))
    } else {
      for finding in findings { print("\(finding.mark.rawValue) \(finding.topic): \(finding.sentence)") }
    }
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

    var mark: Mark { ok ? lack == true ? .lack : .good : .fault }
  }

  struct Report: Encodable, Sendable {
    var findings: [Finding]
  }
}
