import JSON
import Support

/// What one host does in one round, and when its service is killed: all from a seed.
struct KillPlan: Sendable {
  struct Step: Sendable {
    /// How many messages the host waits for before it asks; fewer when nothing more is to come.
    var afterMessages: Int
    var method: String
    var params: JSONObject
  }

  var steps: [Step]
  /// Nil for a host that ends its input and lets everything finish.
  var kill: Kill?

  struct Kill: Sendable {
    var afterMessages: Int
    /// So that it falls between messages too.
    var delayMicroseconds: Int
  }

  /// - Parameters:
  ///   - key: what the idempotency keys of this host begin with.
  ///   - foreignKey: a key the other host of the round uses.
  ///   - earlier: generations that earlier rounds left, to be deleted or refined.
  init(
    key: String, foreignKey: String, sharedKey: String, earlier: [String], mustKill: Bool, places: KillPlaces,
    using random: inout SplitMix64
  ) {
    steps = [Self.generate(key: "\(key)-0", at: 0, places, using: &random)]
    for number in 1...Int.random(in: 2...4, using: &random) {
      let moment = Int.random(in: 0...16, using: &random)
      let step: Step
      switch Int.random(in: 0..<10, using: &random) {
      case 0: step = Step(afterMessages: moment, method: "cancel", params: ["idempotencyKey": .string("\(key)-0")])
      case 1: step = Step(afterMessages: moment, method: "cancel", params: ["idempotencyKey": .string(foreignKey)])
      case 2: step = Step(afterMessages: moment, method: "image/prepare", params: ["image": places.photo])
      case 3:
        // Both hosts ask for this one, with the same params.
        step = Step(
          afterMessages: moment, method: "generate",
          params: [
            "recipe": "headshot", "image": places.photo, "idempotencyKey": .string(sharedKey), "cache": "bypass",
          ])
      case 4:
        guard let id = earlier.randomElement(using: &random) else { continue }
        step = Step(afterMessages: moment, method: "history/delete", params: ["generationId": .string(id)])
      default: step = Self.generate(key: "\(key)-\(number)", at: moment, places, using: &random)
      }
      steps.append(step)
    }
    steps.sort { $0.afterMessages < $1.afterMessages }
    let isKilled = mustKill || Int.random(in: 0..<4, using: &random) > 0
    let (messages, delay) = (Int.random(in: 0...40, using: &random), Int.random(in: 0...30_000, using: &random))
    kill = isKilled ? Kill(afterMessages: messages, delayMicroseconds: delay) : nil
  }

  private static func generate(
    key: String, at moment: Int, _ places: KillPlaces, using random: inout SplitMix64
  ) -> Step {
    var params: JSONObject = [
      "recipe": "headshot", "image": places.photo, "idempotencyKey": .string(key), "cache": "bypass",
    ]
    // As the face of the photo looks: further round the device cannot turn it.
    let angle = Double(Int.random(in: -1...1, using: &random)) / 8
    params["style"] = [
      "angle": JSONNumber(angle).map(JSONValue.number) ?? 0,
      "background": Bool.random(using: &random) ? "casual" : "professional",
    ]
    switch Int.random(in: 0..<5, using: &random) {
    case 0: params["detach"] = true
    case 1:
      params["private"] = true
      params["output"] = ["inline": true]
    case 2: params["output"] = ["directory": .string(places.output)]
    case 3:
      params["detach"] = true
      params["output"] = ["directory": .string(places.output), "count": 2]
    default: break
    }
    return Step(afterMessages: moment, method: "generate", params: params)
  }
}

/// What all rounds of a series share.
struct KillPlaces: Sendable {
  var data: String
  /// The folder the hosts want their pictures in.
  var output: String
  var photo: JSONValue
}
