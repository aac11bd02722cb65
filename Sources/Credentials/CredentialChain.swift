import AtelierProtocol
import POSIX

/// The API keys and where they come from: the environment, then the desktop's keyring, then a file only its owner can
/// read (REQUIREMENTS 3.5).
///
/// What was found is remembered. A change that any Atelier process makes is noticed by the next question; a key that
/// another program puts into the keyring, within ``absenceLifetimeMs``.
public actor CredentialChain: APIKeySource {
  /// For how long nobody asks the keyring again when there was no key to be had, in milliseconds.
  public static let absenceLifetimeMs: Int64 = 5000
  /// For how long nobody asks the keyring again when it did not answer in time, in milliseconds.
  public static let slownessLifetimeMs: Int64 = 60_000
  /// How long the keyring may take to answer, in milliseconds.
  public static let secretServiceTimeoutMs = 4000

  /// A key, and where it comes from.
  struct Found: Sendable {
    var key: APIKey
    var source: CredentialSource
    /// The variable, where the source is the environment.
    var variable: String?
  }

  private struct Memory {
    var result: Result<Found?, CredentialFailure>
    var stamp: CredentialStamp
    var askedAtMs: Int64

    /// Whether it still says what is: a key that was found stays until something changes; that there is none, or none
    /// that can be used, is asked anew from time to time.
    func holds(_ stamp: CredentialStamp, at now: Int64) -> Bool {
      guard stamp == self.stamp else { return false }
      if case .success(_?) = result { return true }
      return now - askedAtMs < CredentialChain.absenceLifetimeMs
    }
  }

  let environment: CredentialEnvironment
  /// The file keys are kept in where there is no keyring.
  public nonisolated let filePath: String
  private let stores: CredentialStores
  private let uptimeMs: @Sendable () -> Int64
  private var memories: [ProviderID: Memory] = [:]
  private var questions: [ProviderID: Task<Result<Found?, CredentialFailure>, Never>] = [:]
  /// Rises with every change made here, so that an answer that was on its way meanwhile is not remembered.
  private var changes = 0
  private var secretServiceSlowUntilMs = Int64.min

  /// - Parameters:
  ///   - environment: the service's own.
  ///   - directory: the data directory, absolute; it is made when the first key is kept in it.
  ///   - secretServiceTimeoutMs: how long the keyring may take to answer.
  ///   - uptimeMs: milliseconds on a clock that never jumps.
  public init(
    environment: CredentialEnvironment, directory: String,
    secretServiceTimeoutMs: Int = CredentialChain.secretServiceTimeoutMs, uptimeMs: @escaping @Sendable () -> Int64
  ) {
    self.environment = environment
    self.uptimeMs = uptimeMs
    let file = CredentialFile(directory: directory)
    filePath = file.path
    stores = CredentialStores(
      secretService: SecretService(
        environment: environment, milliseconds: Int32(clamping: secretServiceTimeoutMs)),
      file: file,
      // A change asks the keyring at most three times.
      lockMilliseconds: 4 * secretServiceTimeoutMs)
  }

  public func key(for provider: ProviderID) async throws(AtelierError) -> APIKey? {
    do throws(CredentialFailure) {
      return try await found(for: provider)?.key
    } catch {
      throw error.atelierError
    }
  }

  /// The key of `provider` with where it comes from; nil when there is none, or it takes none.
  func found(for provider: ProviderID) async throws(CredentialFailure) -> Found? {
    guard let keyed = KeyedProvider.named(provider) else { return nil }
    if let found = try foundInEnvironment(keyed) { return found }
    // Whoever asks while somebody else does gets the same answer: one look, and one program, for all.
    if let question = questions[provider] { return try await question.value.get() }
    let question = Task { await look(for: provider) }
    questions[provider] = question
    let result = await question.value
    if questions[provider] == question { questions[provider] = nil }
    return try result.get()
  }

  private func foundInEnvironment(_ provider: KeyedProvider) throws(CredentialFailure) -> Found? {
    guard let (variable, text) = environment.key(of: provider) else { return nil }
    guard let key = APIKey(text) else {
      throw CredentialFailure(
        .invalidApiKey,
        "The environment variable \(variable) holds no API key: one has no blanks and only plain characters. "
          + "Set it anew and start again.", provider: provider.id)
    }
    return Found(key: key, source: .environment, variable: variable)
  }

  private func look(for provider: ProviderID) async -> Result<Found?, CredentialFailure> {
    let (changesBefore, now) = (changes, uptimeMs())
    let mayAsk = now >= secretServiceSlowUntilMs
    let memory = memories[provider]
    do throws(CredentialFailure) {
      let (finding, stamp) = try await onThread { stores in
        let stamp = stores.file.stamp()
        if let memory, memory.holds(stamp, at: now) { return (CredentialStores.Finding?.none, stamp) }
        return (stores.look(for: provider, askingSecretService: mayAsk), stamp)
      }
      guard let finding else { return memory?.result ?? .success(nil) }
      if finding.isSlow, mayAsk { secretServiceSlowUntilMs = now + Self.slownessLifetimeMs }
      let result = finding.key.map { found in found.map { Found(key: $0.key, source: $0.source) } }
      if changes == changesBefore { memories[provider] = Memory(result: result, stamp: stamp, askedAtMs: now) }
      return result
    } catch {
      return .failure(error)
    }
  }

  /// Runs `change` on a thread of its own, and forgets what was remembered, whatever became of it.
  func change<Value: Sendable>(
    _ provider: ProviderID, _ change: @escaping @Sendable (CredentialStores) throws -> Value
  ) async throws(CredentialFailure) -> Value {
    defer {
      changes += 1
      memories[provider] = nil
      questions[provider] = nil
    }
    return try await onThread(change)
  }

  private func onThread<Value: Sendable>(
    _ body: @escaping @Sendable (CredentialStores) throws -> Value
  ) async throws(CredentialFailure) -> Value {
    do {
      return try await DedicatedThread.run { [stores] in try body(stores) }
    } catch {
      throw error as? CredentialFailure
        ?? CredentialFailure(.overloaded, "There is no thread to spare for the API keys. Try again in a moment.")
    }
  }
}

extension CredentialChain {
  /// Keeps a key, in the place of the one kept before.
  /// - Returns: where it is now, and whether the environment's is used instead.
  /// - Throws: `invalid_api_key` for what cannot be one, `unsupported_by_provider` for a provider that takes none,
  ///   `file_access_denied` or `storage_full` when it cannot be kept.
  public func set(
    _ key: SecretText, for provider: ProviderID
  ) async throws(CredentialFailure) -> CredentialsSet.Result {
    let keyed = try Self.keyed(provider)
    guard let key = APIKey(key.revealed) else {
      throw CredentialFailure(
        .invalidApiKey,
        "This is no API key: one has 1 to \(APIKey.maximumLength) plain characters without blanks or line breaks. "
          + "Copy it again.", provider: provider)
    }
    let (source, answer) = try await change(provider) { try $0.keep(key, for: provider) }
    var notes: [String] = []
    if source == .file { notes += [answer.noteOfKeeping].compactMap(\.self) }
    let variable = environment.key(of: keyed)?.variable
    if let variable {
      notes.append("The environment variable \(variable) is set, and its key is used instead until it is unset.")
    }
    return CredentialsSet.Result(
      provider: provider, source: source, masked: key.masked, environmentVariable: variable,
      note: Self.sentence(notes))
  }

  /// Forgets the key of `provider`, in the keyring and in the file.
  /// - Returns: whether there was one, and whether the environment still provides one.
  /// - Throws: `unsupported_by_provider` for a provider that takes none, `provider_unavailable` when the keyring keeps
  ///   it, `file_access_denied` or `storage_full` when the file cannot be changed.
  public func delete(_ provider: ProviderID) async throws(CredentialFailure) -> CredentialsDelete.Result {
    let keyed = try Self.keyed(provider)
    let (deleted, answer) = try await change(provider) { try $0.forget(provider) }
    var notes = [answer.noteOfForgetting].compactMap(\.self)
    let variable = environment.key(of: keyed)?.variable
    if let variable { notes.append("The environment variable \(variable) still provides a key.") }
    return CredentialsDelete.Result(
      provider: provider, deleted: deleted, environmentVariable: variable, note: Self.sentence(notes))
  }

  private static func keyed(_ provider: ProviderID) throws(CredentialFailure) -> KeyedProvider {
    if let keyed = KeyedProvider.named(provider) { return keyed }
    let known = KeyedProvider.all.map(\.id.rawValue).joined(separator: ", ")
    throw CredentialFailure(
      .unsupportedByProvider, "This provider takes no API key. Those that do: \(known).", provider: provider)
  }

  private static func sentence(_ notes: [String]) -> String? {
    notes.isEmpty ? nil : notes.joined(separator: " ")
  }
}

extension SecretServiceAnswer {
  /// Why a key went into the file although there seems to be a keyring.
  fileprivate var noteOfKeeping: String? {
    switch self {
    case .notThere: nil
    case .overdue:
      "The keyring did not answer in time, perhaps because it is locked, so the key is kept in a file that only its "
        + "owner can read."
    default: "The keyring did not take the key, so it is kept in a file that only its owner can read."
    }
  }

  /// What may be left after everything was forgotten that could be reached.
  fileprivate var noteOfForgetting: String? {
    switch self {
    case .overdue: "The keyring did not answer in time: if it holds a key as well, that one is still there."
    case .failed: "The keyring could not be asked: if it holds a key as well, that one is still there."
    default: nil
    }
  }
}

extension CredentialChain {
  /// Who reads a status: the operator is told the names of files, a caller is not (REQUIREMENTS 5.1).
  public enum Reader: Sendable {
    case caller, `operator`
  }

  /// How every provider that takes a key stands; never the keys.
  public func status(for reader: Reader) async -> CredentialsStatus.Result {
    var entries: [CredentialsStatus.Entry] = []
    for provider in KeyedProvider.all { entries.append(await entry(of: provider, for: reader)) }
    return CredentialsStatus.Result(providers: entries)
  }

  private func entry(of provider: KeyedProvider, for reader: Reader) async -> CredentialsStatus.Entry {
    var entry = CredentialsStatus.Entry(
      provider: provider.id, configured: false, environmentVariables: provider.environmentVariables)
    do throws(CredentialFailure) {
      guard let found = try await found(for: provider.id) else { return entry }
      entry.configured = true
      entry.source = found.source
      entry.masked = found.key.masked
      entry.environmentVariable = found.variable
    } catch {
      entry.reason = reader == .operator ? error.sentence : error.message
    }
    return entry
  }
}
