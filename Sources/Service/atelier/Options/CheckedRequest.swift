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
      throw ValidationError("\(Self.option(of: failure.path)) must be \(failure.expected).")
    }
  }

  /// The option that gives the member at this JSON Pointer.
  private static func option(of pointer: String) -> String {
    let members = pointer.split(separator: "/").map(String.init)
    let member = members.first == "output" ? members.dropFirst().first : members.first
    return switch member {
    case nil: "What is named"
    case "image": "The photo"
    case "generationId": "The generation"
    case "references": "--reference"
    case "templateId": "--template"
    case "aspectRatio": "--aspect-ratio"
    case "longestSide": "--longest-side"
    case let member?: "--\(member)"
    }
  }
}
