import AtelierProtocol
import POSIX

/// Which of the operator's networks the worker has.
struct NetworkSupply {
  let catalogue: NetworkCatalogue?
  /// The worker that was given networks last.
  private weak var worker: WorkerProcess?
  /// What was meant for it.
  private var given: [OperatorNetwork] = []
  /// The digests of those with which a worker ended. They are not given to another one.
  private(set) var suspended: Set<String> = []
  private(set) var toldProblems: [String] = []

  init(_ catalogue: NetworkCatalogue?) {
    self.catalogue = catalogue
  }

  func given(to worker: WorkerProcess) -> [OperatorNetwork] { self.worker === worker ? given : [] }

  mutating func give(_ networks: [OperatorNetwork], to worker: WorkerProcess) { (self.worker, given) = (worker, networks) }

  mutating func suspend(_ networks: [OperatorNetwork]) { suspended.formUnion(networks.map(\.sha256)) }

  /// - Returns: the problems that have not been told.
  mutating func newProblems(_ problems: [String]) -> [String] {
    defer { toldProblems = problems }
    return problems.filter { !toldProblems.contains($0) }
  }
}

extension ImagingWorker {
  /// Lets a worker look at a picture with a network that it does not keep.
  /// - Returns: what was found, and why it cannot be used if it cannot.
  /// - Throws: as every job, but for what is the network's fault.
  public func trial(
    of network: OperatorNetwork, model: [UInt8], deadline: Duration = .seconds(10)
  ) async throws -> NetworksJob.Finding {
    do {
      let job = NetworksJob(networks: [network], isTrial: true)
      guard let finding = try await run(job, input: model, deadline: deadline).report.findings.first else {
        throw Self.crashed(.misunderstood)
      }
      return finding
    } catch let error as ImagingError where error.kind == .timedOut {
      let refusal = NetworkRefusal(.tooSlow, "The model took longer than ten seconds to look at one picture.")
      return NetworksJob.Finding(name: network.name, refusal: refusal)
    } catch let error as ImagingError where [.invalidImage, .overloaded].contains(error.kind) {
      let refusal = NetworkRefusal(
        .crashed, "The imaging worker ended while it tried the model, perhaps because it needs too much memory.")
      return NetworksJob.Finding(name: network.name, refusal: refusal)
    }
  }

  /// The operator's networks that take part in headshots, each as a text that changes with what it does.
  public func operatorNetworks() async -> [String] {
    guard let catalogue = networks.catalogue else { return [] }
    let contents = try? await LazyThreadPool.workers.run { try catalogue.contents() }
    let used = contents?.networks.filter { !networks.suspended.contains($0.sha256) } ?? []
    return used.map { "\($0.role.rawValue) \($0.values.rawValue) \($0.output.rawValue) \($0.sha256)" }
  }

  /// Gives a worker the networks of the catalogue, unless it has them.
  /// - Parameter setAside: those that it is not given.
  /// - Returns: those with which the worker ended; nil while it can be used.
  func equip(_ worker: WorkerProcess, without setAside: [OperatorNetwork]) async throws -> [OperatorNetwork]? {
    guard let catalogue = networks.catalogue else { return nil }
    let (without, had) = (networks.suspended.union(setAside.map(\.sha256)), networks.given(to: worker))
    let supply = try? await LazyThreadPool.workers.run {
      try Self.supply(from: catalogue, without: without, had: had)
    }
    // What is wrong with the folder, `atelier doctor` says. The worker keeps what it has.
    guard let supply else { return nil }
    for problem in networks.newProblems(supply.problems) { log(problem) }
    guard let wanted = supply.wanted else { return nil }
    do {
      let outcome = try await worker.perform(
        NetworksJob(networks: supply.networks), input: supply.models.reduce(into: []) { $0 += $1 }, progress: nil)
      networks.give(wanted, to: worker)
      tell(outcome.report.findings)
      return nil
    } catch let failure as WorkerFailure {
      // An idle worker that has left, which the job itself will find.
      if case .endedBeforeJob = failure { return nil }
      return wanted
    }
  }

  private struct Supply: Sendable {
    var problems: [String]
    /// What the worker is to have; nil when it has that.
    var wanted: [OperatorNetwork]?
    /// Those whose models are there, and the bytes of these.
    var networks: [OperatorNetwork] = []
    var models: [[UInt8]] = []
  }

  private static func supply(
    from catalogue: NetworkCatalogue, without digests: Set<String>, had: [OperatorNetwork]
  ) throws(NetworkRefusal) -> Supply {
    let contents = try catalogue.contents()
    let wanted = contents.networks.filter { !digests.contains($0.sha256) }
    guard wanted != had else { return Supply(problems: contents.problems, wanted: nil) }
    var supply = Supply(problems: contents.problems, wanted: wanted)
    for var network in wanted {
      do throws(NetworkRefusal) {
        guard let bytes = try catalogue.model(of: network) else { continue }
        // Of another length, it has another digest, which the worker tells.
        network.bytes = bytes.count
        supply.networks.append(network)
        supply.models.append(bytes)
      } catch {
        supply.problems.append(error.sentence)
      }
    }
    return supply
  }

  /// Writes to the log which networks are not used.
  func tell(_ findings: [NetworksJob.Finding]) {
    for finding in findings {
      if let refusal = finding.refusal { log("The model “\(finding.name)” is not used. \(refusal.sentence)") }
    }
  }

  /// Leaves out networks with which a worker ended.
  func suspend(_ suspended: [OperatorNetwork]) {
    guard !suspended.isEmpty else { return }
    networks.suspend(suspended)
    let names = suspended.map { "“\($0.name)”" }.joined(separator: ", ")
    log("The imaging worker ended with the models \(names). This process does not use them any more.")
  }
}
