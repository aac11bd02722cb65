import AtelierProtocol

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
