import AtelierProtocol
import Engine

/// The word that stands for the newest generation wherever a command takes an id.
enum NewestGeneration {
  static let word = "last"
}

extension Engine {
  /// The generation that a person names: an id, or ``NewestGeneration/word`` for the newest of the account.
  /// - Parameter account: nil for this machine's own.
  /// - Throws: `CommandFailure` when the account has none.
  func generation(named name: String, of account: AccountID?) async throws -> GenerationID {
    guard name == NewestGeneration.word else { return GenerationID(rawValue: name) }
    let page = try await history(History(account: presentAccount(of: account), limit: 1), for: Caller())
    guard let newest = page.entries.first else {
      let whose = account.map { " for \($0.rawValue)" } ?? ""
      throw CommandFailure(sentence: "Nothing was made yet\(whose), so there is no last generation.")
    }
    return newest.generationId
  }

  /// The same request, with the id of the newest generation where it names that.
  /// - Throws: as ``generation(named:of:)``.
  func namingGenerations(in request: Generate) async throws -> Generate {
    guard case .generation(let name, let index) = request.image, name.rawValue == NewestGeneration.word else {
      return request
    }
    var request = request
    request.image = .generation(try await generation(named: name.rawValue, of: request.account), index: index)
    return request
  }
}
