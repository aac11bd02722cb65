import AtelierProtocol

/// The worker's options, which the main process passes on the command line.
public struct WorkerOptions: Sendable, Equatable {
  /// How long an idle worker stays.
  public var idleTimeout: Duration
  /// A worker that is confined less does not decode.
  public var minimumConfinement: MinimumConfinement
  /// Whether a debugger may attach to the worker.
  public var allowsDebugger: Bool
  /// Whether the worker writes the duration of each stage of a job to its standard error; `Benchmarks/worker.py` reads it.
  public var profiles: Bool

  public init(
    idleTimeout: Duration = .seconds(60), minimumConfinement: MinimumConfinement = .seccomp, allowsDebugger: Bool = false,
    profiles: Bool = false
  ) {
    self.idleTimeout = idleTimeout
    self.minimumConfinement = minimumConfinement
    self.allowsDebugger = allowsDebugger
    self.profiles = profiles
  }
}

extension WorkerOptions {
  private enum Name: String {
    case idleTimeout = "--idle-timeout-ms"
    case minimumConfinement = "--minimum-confinement"
    case allowsDebugger = "--allow-debugger"
    case profiles = "--profile"
  }

  /// As arguments of the worker.
  public var arguments: [String] {
    [Name.idleTimeout.rawValue, String(idleTimeout.wholeMilliseconds)]
      + [Name.minimumConfinement.rawValue, minimumConfinement.rawValue]
      + (allowsDebugger ? [Name.allowsDebugger.rawValue] : []) + (profiles ? [Name.profiles.rawValue] : [])
  }

  /// - Returns: nil when the arguments are not those that a main process of this version passes.
  public init?(arguments: some Sequence<String>) {
    self.init()
    var arguments = arguments.makeIterator()
    while let argument = arguments.next() {
      switch Name(rawValue: argument) {
      case .idleTimeout:
        guard let value = arguments.next().flatMap(Int64.init), value > 0 else { return nil }
        idleTimeout = .milliseconds(value)
      case .minimumConfinement:
        guard let value = arguments.next().flatMap(MinimumConfinement.init(rawValue:)) else { return nil }
        minimumConfinement = value
      case .allowsDebugger:
        allowsDebugger = true
      case .profiles:
        profiles = true
      case nil:
        return nil
      }
    }
  }
}

/// What must confine the worker at least. Each value demands what those before it demand.
///
/// Namespaces cannot be demanded: containers and some distributions forbid them, and they add little.
public enum MinimumConfinement: String, Codable, Sendable, CaseIterable {
  case none, seccomp, landlock

  public func isReached(by confinement: WorkerConfinement) -> Bool {
    switch self {
    case .none: true
    case .seccomp: confinement.seccomp
    case .landlock: confinement.seccomp && confinement.landlockAbi > 0
    }
  }
}

/// The worker's first message: how it is confined.
public struct WorkerReady: Codable, Sendable {
  public static let method = "worker/ready"

  public var confinement: WorkerConfinement

  public init(confinement: WorkerConfinement) {
    self.confinement = confinement
  }
}
