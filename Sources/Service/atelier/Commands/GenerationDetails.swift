import AtelierProtocol
import Engine
import JSON

/// Everything about a generation, for a person: one line for each fact, then its pictures.
struct GenerationDetails {
  private let generation: Generation
  /// What was asked for, as far as it is kept.
  private let params: JSONObject

  init(_ generation: Generation, params: JSONObject) {
    (self.generation, self.params) = (generation, params)
  }

  var lines: [String] {
    let width = 12
    let facts = facts.map { name, value in
      "\(name):" + String(repeating: " ", count: max(1, width - name.count - 1)) + value.onOneLine
    }
    return facts + pictures + places
  }

  private var facts: [(name: String, value: String)] {
    var facts: [(name: String, value: String)] = []
    func add(_ name: String, _ value: String?) {
      if let value, !value.isEmpty { facts.append((name, value)) }
    }
    add("Generation", generation.generationId.rawValue)
    add("State", generation.state.rawValue + (generation.progress.map { " (\($0.message))" } ?? ""))
    if generation.account != .owner { add("Account", generation.account.rawValue) }
    add("Recipe", [generation.recipe.rawValue, generation.style?.name].compactMap(\.self).joined(separator: " "))
    add("Photo", generation.sourceName)
    add("Refines", generation.parentGenerationId?.rawValue)
    add("Repeats", generation.originalGenerationId?.rawValue)
    add("Template", generation.templateId)
    add("Prompt", generation.prompt?.inOneParagraph)
    add("Options", options.joined(separator: " "))
    add("Provider", [generation.provider?.rawValue, generation.model].compactMap(\.self).joined(separator: ", "))
    add("Accepted", generation.createdAt.localText)
    add("Ended", generation.finishedAt?.localText)
    add("Took", duration)
    add("Cost", cost)
    add("Answer", generation.text?.inOneParagraph)
    add("Rating", rating)
    if generation.private == true { add("Private", "neither the words nor the pictures are kept") }
    if generation.favorite == true { add("Favorite", "yes") }
    add("Error", generation.error.map(CommandWords.sentence(of:)))
    for warning in generation.warnings { add("Warning", CommandWords.sentence(of: warning)) }
    for failure in generation.failures {
      add("Missing", "\(failure.view ?? "picture \(failure.index + 1)"): \(CommandWords.sentence(of: failure.error))")
    }
    return facts
  }

  /// What was asked for beyond the recipe, as options.
  private var options: [String] {
    let output = params["output"]?.object ?? [:]
    var members = output.filter { $0.key != "inline" && !($0.key == "count" && $0.value == 1) }
    members += params.filter { ["near", "limit", "language", "seed", "temperature"].contains($0.key) }
    return members.map { member, value in
      let text = value.string ?? value.serializedText
      return value == true ? CommandWords.name(ofMember: member) : "\(CommandWords.name(ofMember: member)) \(text)"
    }
  }

  private var duration: String? {
    guard generation.state.isFinal, generation.timings.totalMs > 0 else { return nil }
    let timings = generation.timings
    let phases = [
      ("waiting", timings.queuedMs), ("preparing", timings.preparingMs), ("sending", timings.uploadingMs),
      ("making", timings.processingMs), ("saving", timings.savingMs),
    ].filter { $0.1 >= 100 }.map { "\($0.0) \(Self.seconds($0.1))" }
    return Self.seconds(timings.totalMs) + (phases.count > 1 ? ": " + phases.joined(separator: ", ") : "")
  }

  private static func seconds(_ milliseconds: Int64) -> String {
    "\(milliseconds / 1000).\(milliseconds % 1000 / 100) s"
  }

  private var cost: String? {
    guard generation.state.isFinal else { return nil }
    if generation.cached { return "nothing: an identical earlier result was used" }
    let costs = [
      generation.usage.costUsd.flatMap { $0 > 0 ? "\(Dollars($0))" : nil },
      generation.credits.charged > 0 ? generation.credits.charged.credits : nil,
      generation.usage.outputTokens > 0
        ? "\(generation.usage.inputTokens) tokens sent, \(generation.usage.outputTokens) received" : nil,
    ].compactMap(\.self)
    if costs.isEmpty, wasSent, generation.state == .cancelled {
      return "nothing here; the provider may bill what it had begun"
    }
    return costs.isEmpty ? "nothing" : costs.joined(separator: ", ")
  }

  /// Whether a provider elsewhere had it, at least in part.
  private var wasSent: Bool {
    generation.provider != .ondevice && generation.timings.uploadingMs + generation.timings.processingMs > 0
  }

  private var rating: String? {
    generation.feedback.map { "\($0.rating) of 5" + ($0.text.map { ": \($0.inOneParagraph)" } ?? "") }
  }

  private var pictures: [String] {
    zip(generation.images, generation.pictureFiles).flatMap { image, path in
      let format = image.mimeType.split(separator: "/").last.map { $0.uppercased() } ?? image.mimeType
      let title = image.view ?? (generation.images.count > 1 ? "\(image.index + 1)" : "")
      let head = "Picture\(title.isEmpty ? "" : " \(title)"): \(image.width) × \(image.height) \(format), "
      return [head + "\(Megabytes(image.bytes))", "    \(path.homeRelative)"]
        + (image.matte?.path.map { ["    \($0.homeRelative) (matte)"] } ?? [])
    }
  }

  private var places: [String] {
    (generation.places ?? []).map { "    \($0.name.onOneLine)\t\($0.address.onOneLine)" }
  }
}

extension String {
  /// The text with its line breaks as spaces.
  fileprivate var inOneParagraph: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}
