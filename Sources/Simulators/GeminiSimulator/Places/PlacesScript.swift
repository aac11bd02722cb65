import JSON

/// What a simulated model does next in a conversation about places: it looks three places of the prompt's region up,
/// then two more, then lists what the lookups found, unless a fault says otherwise.
struct PlacesScript {
  /// A call that the model made earlier, with its result.
  struct Earlier: Sendable {
    var arguments: JSONObject
    var result: JSONValue
  }

  struct Call: Sendable {
    var name = "search_location"
    /// As they go on the wire; for a wrong call no object.
    var arguments: JSONValue
  }

  enum Next: Sendable {
    case calls([Call])
    case text(String)
  }

  /// All words of the user so far.
  var prompt: String
  /// The calls so far, with their results.
  var earlier: [Earlier]
  /// How often the model has spoken.
  var turns: Int
  /// How many texts the user has sent: more than one when the client insists.
  var userTexts: Int
  var mayCall: Bool
  var fault: ToolFault?

  private var region: PlacesTable.Region? { PlacesTable.region(of: prompt) }

  func next() -> Next {
    let places = region?.places ?? []
    switch fault {
    case .endlessLoop: return .calls([call(places[0])])
    case .unknownFunction where turns == 0: return .calls([Call(name: "web_search", arguments: ["query": "coffee"])])
    case .wrongArguments where turns == 0: return .calls([Call(arguments: ["place": 7]), Call(arguments: "no object")])
    case .manyTurns where turns < 20: return .calls([call(places[turns % places.count])])
    case .noLookups where userTexts < 2: return .text(JSONValue.array(places.map(listed)).serializedText)
    case .noList: return .text("There are many nice places. Have a look around!")
    case .emptyList: return .text("[]")
    default: break
    }
    let asked = Set(earlier.compactMap { $0.arguments["name"]?.string })
    let open = places.filter { !asked.contains($0.name) }
    if !open.isEmpty, mayCall, !(fault == .invented && asked.count >= 3) {
      let count = fault == .oneByOne || fault == .manyTurns ? 1 : asked.isEmpty ? 3 : 2
      return .calls(open.prefix(count).map(call))
    }
    return .text(list)
  }

  private func call(_ place: PlacesTable.Place) -> Call {
    Call(arguments: ["name": .string(place.name), "location": .string("\(place.road), \(region?.city ?? "")")])
  }

  /// A place as the model remembers it.
  private func listed(_ place: PlacesTable.Place) -> JSONValue {
    [
      "name": .string(place.name), "streetAddress1": .string("\(place.number) \(place.road)"),
      "city": .string(region?.city ?? ""),
    ]
  }

  /// What the lookups found, as the instructions want it.
  private var list: String {
    var found = earlier.compactMap { $0.result["output"]?["places"]?.array?.first }
    if fault == .invented {
      found = found.prefix(3) + ["The Imaginary Bean", "Café Nowhere"].map { name in
        ["name": .string(name), "streetAddress1": "1 Nowhere Street", "city": .string(region?.city ?? "")]
      }
    }
    let text = JSONValue.array(found).serializedText
    guard fault == .prose else { return text }
    let untidy = text.replacing("}", with: ",}").replacing("]", with: ",\n]")
    return "Here are the best places [1]:\n\n```json\n\(untidy)\n```\n\nEnjoy! [2]"
  }
}
