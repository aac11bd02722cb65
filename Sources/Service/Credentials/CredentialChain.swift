import AtelierProtocol
import POSIX

/// The API keys from their sources: the environment, then the desktop's keyring, then a file that only its owner can
/// read.
///
/// Results are cached. A change by any Atelier process is noticed on the next lookup; a key that another program puts
/// into the keyring is noticed within ``absenceLifetimeMs``.
public actor CredentialChain: APIKeySource {
  /// How long the keyring is not asked again after no key was available, in milliseconds.
  public static let absenceLifetimeMs: Int64 = 5000
  /// How long the keyring is not asked again after it did not answer in time, in milliseconds.
  public static let slownessLifetimeMs: Int64 = 60_000
  /// The time limit for the keyring, in milliseconds.
  public static let secretServiceTimeoutMs = 4000

  /// A key and its source.
  struct Found: Sendable {
    var key: APIKey
    var source: CredentialSource
    /// The variable, if the source is the environment.
    var variable: String?
  }

  private struct Memory {
    var result: Result<Found?, CredentialFailure>
    var stamp: CredentialStamp
    var askedAtMs: Int64

    /// Whether the cached result is still valid: a found key stays valid until something changes; the absence of a
    /// usable key expires after some time.
    func holds(_ stamp: CredentialStamp, at now: Int64) -> Bool {
      guard stamp == self.stamp else { return false }
      if case .success(_?) = result { return true }
      return now - askedAtMs < CredentialChain.absenceLifetimeMs
    }
  }

  let environment: CredentialEnvironment
  /// The file in which keys are stored if there is no keyring.
  public nonisolated let filePath: String
  private let stores: CredentialStores
  private let uptimeMs: @Sendable () -> Int64
  private var memories: [ProviderID: Memory] = [:]
  private var questions: [ProviderID: Task<Result<Found?, CredentialFailure>, Never>] = [:]
  /// Increases with every change made here, so that the result of a concurrent lookup is not cached.
  private var changes = 0
  private var secretServiceSlowUntilMs = Int64.min

  /// - Parameters:
  ///   - environment: the service's own environment.
  ///   - directory: the data directory, absolute; it is created when the first key is stored in it.
  ///   - secretServiceTimeoutMs: the time limit for the keyring.
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
      // A change accesses the keyring at most three times.
      lockMilliseconds: 4 * secretServiceTimeoutMs)
  }

  public func key(for provider: ProviderID) async throws(AtelierError) -> APIKey? {
    do throws(CredentialFailure) {
      return try await found(for: provider)?.key
    } catch {
      throw error.atelierError
    }
  }

  /// The key of `provider` with its source; nil when there is none, or when the provider takes none.
  func found(for provider: ProviderID) async throws(CredentialFailure) -> Found? {
    guard let keyed = KeyedProvider.named(provider) else { return nil }
    let lookup = environment.lookup(keyed)
    if let found = lookup.found { return Found(key: found.key, source: .environment, variable: found.variable) }
    if let stored = try await stored(for: provider, unless: lookup.failure) { return stored }
    if let failure = lookup.failure { throw failure }
    return nil
  }

  /// The key of `provider` in the keyring or the file.
  /// - Parameter failure: why the environment has no key, which is thrown in place of the reason why these have none.
  private func stored(
    for provider: ProviderID, unless failure: CredentialFailure?
  ) async throws(CredentialFailure) -> Found? {
    do throws(CredentialFailure) {
      // Concurrent callers share one lookup, and thus one run of the program.
      if let question = questions[provider] { return try await question.value.get() }
      let question = Task { await look(for: provider) }
      questions[provider] = question
      let result = await question.value
      if questions[provider] == question { questions[provider] = nil }
      return try result.get()
    } catch {
      throw failure ?? error
    }
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

  /// Runs `change` on a dedicated thread, and clears the cached result, whether or not it succeeds.
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
      return try await LazyThreadPool.shared.run { [stores] in try body(stores) }
    } catch {
      throw error as? CredentialFailure
        ?? CredentialFailure(.overloaded, "There is no thread to spare for the API keys. Try again in a moment.")
    }
  }
}

extension CredentialChain {
  /// Stores a key, replacing the previous one.
  /// - Returns: where it is stored, and whether the environment's key is used instead.
  /// - Throws: `invalid_api_key` for an invalid key, `unsupported_by_provider` for a provider that takes none,
  ///   `file_access_denied` or `storage_full` when it cannot be stored.
  public func set(
    _ key: SecretText, for provider: ProviderID
  ) async throws(CredentialFailure) -> CredentialsSet.Result {
    let keyed = try Self.keyed(provider)
    if let mistake = KeyMistake(key.revealed) {
      throw CredentialFailure(
        .invalidApiKey, "This is no API key: it \(mistake.problem). Give the key alone, as the provider shows it.",
        personal: "This is no API key. Give the key alone, as the provider shows it.", provider: provider)
    }
    guard let key = APIKey(key.revealed) else {
      throw CredentialFailure(
        .invalidApiKey,
        "This is no API key: one has 1 to \(APIKey.maximumLength) plain characters without blanks or line breaks. "
          + "Copy it again.", personal: "This is no API key. Give the key alone, as the provider shows it.",
        provider: provider)
    }
    let (source, answer) = try await change(provider) { try $0.keep(key, for: provider) }
    var notes: [String] = []
    if source == .file { notes += [answer.noteOfKeeping].compactMap(\.self) }
    let lookup = environment.lookup(keyed)
    let variable = lookup.found?.variable
    notes += [lookup.note].compactMap(\.self)
    if let variable {
      notes.append("The environment variable \(variable) is set, and its key is used instead until it is unset.")
    }
    return CredentialsSet.Result(
      provider: provider, source: source, masked: key.masked, environmentVariable: variable,
      note: Self.sentence(notes))
  }

  /// Deletes the key of `provider` from the keyring and from the file.
  /// - Returns: whether there was one, and whether the environment still provides one.
  /// - Throws: `unsupported_by_provider` for a provider that takes none, `provider_unavailable` when the keyring does
  ///   not delete it, `file_access_denied` or `storage_full` when the file cannot be changed.
  public func delete(_ provider: ProviderID) async throws(CredentialFailure) -> CredentialsDelete.Result {
    let keyed = try Self.keyed(provider)
    let (deleted, answer) = try await change(provider) { try $0.forget(provider) }
    var notes = [answer.noteOfForgetting].compactMap(\.self)
    let variable = environment.lookup(keyed).found?.variable
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
  /// Why a key was stored in the file although a keyring seems to exist.
  fileprivate var noteOfKeeping: String? {
    switch self {
    case .notThere: nil
    case .overdue:
      "The keyring did not answer in time, perhaps because it is locked, so the key is kept in a file that only its "
        + "owner can read."
    default: "The keyring did not take the key, so it is kept in a file that only its owner can read."
    }
  }

  /// A note on keys that may remain after all reachable ones were deleted.
  fileprivate var noteOfForgetting: String? {
    switch self {
    case .overdue: "The keyring did not answer in time: if it holds a key as well, that one is still there."
    case .failed: "The keyring could not be asked: if it holds a key as well, that one is still there."
    default: nil
    }
  }
}

extension CredentialChain {
  /// The reader of a status: file names are shown to the operator, but not to a caller.
  public enum Reader: Sendable {
    case caller, `operator`
  }

  /// The status of every provider that takes a key; never contains the keys.
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
      entry.note = environment.lookup(provider).note
    } catch {
      entry.reason = reader == .operator ? error.sentence : error.message
    }
    return entry
  }
}
