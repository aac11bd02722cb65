import AtelierProtocol
import JSON
import Providers

/// What a model is told to find places.
enum PlacesPrompt {
  /// Changes with the words, so that history tells which ones made a list.
  static let version = "places-1"

  static let instructions = """
    You find places that exist: shops, restaurants, museums, parks and the like.

    Before you name a place, call search_location with its name and where it is. Call it for several places in one turn. \
    Name only places that search_location has found under that name, at the place you meant. If it finds nothing, or \
    another place, leave the place out and look for others.

    When you have enough places, or find no more, answer with a JSON array and nothing else, best place first. Copy each \
    member from the answer of search_location and leave out what it does not tell:

    [{"name": "…", "streetAddress1": "…", "streetAddress2": "…", "city": "…", "state": "…", "postalCode": "…", \
    "country": "…", "latitude": 0.0, "longitude": 0.0}]

    If you find no place, answer with [].
    """

  static let function = FunctionDeclaration(
    name: "search_location",
    description: "Looks a place up on a map. Returns the places found under that name, with their addresses and positions.",
    parameters: [
      .init(name: "name", description: "The name of the place alone, such as Houndstooth Coffee."),
      .init(name: "location", description: "Where it is: street and town, or the town alone."),
    ])

  /// Sent once when an answer has no list, or a list without any lookup.
  static let reminder = """
    Look each place up with search_location first; then answer with the JSON array of the places it found, and nothing \
    else.
    """

  /// - Parameter listing: the places to choose from, a line for each; nil for all that exist.
  static func question(_ request: Generate, listing: String? = nil) -> String {
    var lines = [request.prompt ?? "", "", "Name at most \(request.limit ?? Generate.defaultPlaceLimit) places."]
    switch request.near {
    case .text(let area)?: lines.append("They must be in or near: \(area)")
    case .coordinate(let position)?:
      let numbers = [position.latitude, position.longitude].map { JSONNumber($0)?.text ?? "0" }
      lines.append("They must be near latitude \(numbers[0]), longitude \(numbers[1]).")
    case nil: break
    }
    if let language = request.language { lines.append("Write names in the language \(language) where they have one.") }
    if let listing { lines += ["Choose among these places only:", "", listing] }
    return lines.joined(separator: "\n")
  }
}

extension Generate {
  /// How many places a list has at most if the request does not say.
  public static let defaultPlaceLimit = 10
}
