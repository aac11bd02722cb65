import AtelierProtocol

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
