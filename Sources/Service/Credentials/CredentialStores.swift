import AtelierProtocol

/// The two stores of keys: the desktop's keyring and the file. Every call blocks.
struct CredentialStores: Sendable {
  let secretService: SecretService
  let file: CredentialFile
  /// How long to wait for another process that changes keys; longer than its keyring calls may take.
  let lockMilliseconds: Int

  /// The result of looking for a key.
  struct Finding: Sendable {
    struct Key: Sendable {
      var key: APIKey
      var source: CredentialSource
    }

    var key: Result<Key?, CredentialFailure>
    /// The keyring did not answer in time, and asking it again would delay every caller again.
    var isSlow = false
  }

  /// Looks for the key of `provider`: in the keyring, then in the file; but a key in the file comes first if it was set
  /// after the keyring's, when the keyring did not accept it.
  func look(for provider: ProviderID, askingSecretService: Bool) -> Finding {
    let stored = Result { () throws(CredentialFailure) in try file.read()[provider] }
    if case .success(let entry?) = stored, entry.isNewerThanSecretService {
      return Finding(key: .success(Finding.Key(key: entry.key, source: .file)))
    }
    let answer = askingSecretService ? secretService.answer(for: provider) : .overdue
    if case .found(let key) = answer {
      return Finding(key: .success(Finding.Key(key: key, source: .secretService))) }
    switch (stored, CredentialFailure(answer, provider: provider)) {
    case (.success(nil), let failure?): return Finding(key: .failure(failure), isSlow: answer == .overdue)
    default:
      return Finding(
        key: stored.map { $0.map { Finding.Key(key: $0.key, source: .file) } }, isSlow: answer == .overdue)
    }
  }

  /// Stores `key` in the keyring, or in the file if no keyring accepts it.
  /// - Returns: where the key is stored, and the keyring's answer.
  func keep(
    _ key: APIKey, for provider: ProviderID
  ) throws(CredentialFailure) -> (source: CredentialSource, answer: SecretServiceAnswer) {
    let directory = CredentialDirectory(path: file.directory)
    try directory.prepare()
    let lock = try CredentialLock(path: file.lockPath, milliseconds: lockMilliseconds)
    var keys = try file.read()
    let answer = secretService.store(key, for: provider)
    let isInSecretService = answer == .found(key)
    let before = keys
    keys[provider] =
      isInSecretService ? nil : StoredKeys.Entry(key: key, isNewerThanSecretService: answer != .notThere)
    let outcome = Result { () throws(CredentialFailure) in if keys != before { try file.write(keys) } }
    // The keyring may have changed though the file has not.
    try lock.announceChange()
    try outcome.get()
    return (isInSecretService ? .secretService : .file, answer)
  }

  /// Deletes the key of `provider` from both stores.
  /// - Returns: whether there was a key, and the keyring's answer afterwards.
  func forget(_ provider: ProviderID) throws(CredentialFailure) -> (deleted: Bool, answer: SecretServiceAnswer) {
    // Without a data directory there is no file, and no reason to create one.
    guard CredentialDirectory(path: file.directory).exists else { return try clearSecretService(provider) }
    let lock = try CredentialLock(path: file.lockPath, milliseconds: lockMilliseconds)
    var keys = try file.read()
    let wasInFile = keys[provider] != nil
    if wasInFile {
      keys[provider] = nil
      try file.write(keys)
    }
    let outcome = Result { () throws(CredentialFailure) in try clearSecretService(provider) }
    try lock.announceChange()
    let (wasInSecretService, answer) = try outcome.get()
    return (wasInFile || wasInSecretService, answer)
  }

  private func clearSecretService(
    _ provider: ProviderID
  ) throws(CredentialFailure) -> (deleted: Bool, answer: SecretServiceAnswer) {
    let before = secretService.answer(for: provider)
    guard before.isPresent else { return (false, before) }
    let after = secretService.clear(provider)
    guard after == .absent else {
      throw CredentialFailure(
        .providerUnavailable,
        "The keyring did not let go of the key: unlock it, as with the desktop's password manager, and delete again.",
        provider: provider)
    }
    return (true, after)
  }
}
