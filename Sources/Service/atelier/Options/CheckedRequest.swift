import ArgumentParser
import AtelierProtocol
import JSON

extension RequestMessage {
  /// The same request, held to the rules for the requests of a host.
  /// - Throws: wrong usage, naming the option.
  func checked() throws -> Self {
    do {
      return try JSONValueDecoder(unknownMembers: .reject).decode(Self.self, from: try JSONValueEncoder().encode(self))
    } catch let failure as JSONDecodingFailure {
      throw ValidationError(CommandWords.sentence(about: failure.path, mustBe: failure.expected))
    }
  }
}
