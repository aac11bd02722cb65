import Localization

extension Generate {
  /// Checks that the members fit the recipe and each other. Each value by itself was checked when it was read.
  /// - Throws: `wrong_recipe_input`, with the member to mend in `details`.
  public func validate() throws(AtelierError) {
    try refuseWhatDoesNotBelong()
    try requireWhatIsNeeded()
    try checkOutput()
    try checkFormat()
    try checkCrop()
    try checkWaiting()
  }

  /// The members that have a value and do not belong to every recipe.
  private var particulars: [(member: Particular, sentence: Sentence)] {
    let given: [(Particular, Bool)] = [
      (.image, image != nil), (.references, references?.isEmpty == false),
      (.prompt, hasPrompt), (.style, style != nil), (.templateId, templateId != nil),
      (.temperature, temperature != nil), (.output, output != nil), (.near, near != nil), (.limit, limit != nil),
      (.language, language != nil),
    ]
    return given.filter(\.1).map { ($0.0, $0.0.refusal(for: recipe)) }
  }

  private var hasPrompt: Bool { prompt?.unicodeScalars.contains { !$0.properties.isWhitespace } == true }

  private func refuseWhatDoesNotBelong() throws(AtelierError) {
    for (member, sentence) in particulars where !member.recipes.contains(recipe) {
      throw refusal(member.rawValue, sentence)
    }
  }

  private func requireWhatIsNeeded() throws(AtelierError) {
    let startsFromPhoto = Particular.image.recipes.contains(recipe)
    if startsFromPhoto, image == nil {
      throw refusal("image", "This needs a picture: give a photo or an earlier result.")
    }
    switch recipe {
    case .headshot: break
    case .hairstyle:
      if !hasPrompt, templateId == nil, references?.isEmpty != false {
        throw refusal("prompt", "Say which hairstyle: with a prompt, a template, or a reference image.")
      }
    case .edit:
      if !hasPrompt { throw refusal("prompt", "Say in the prompt what is to be changed.") }
    case .create, .places:
      if !hasPrompt { throw refusal("prompt", "Say in the prompt what you want.") }
    }
  }

  private func checkOutput() throws(AtelierError) {
    if output?.mode == .multiAngle {
      if recipe != .hairstyle {
        throw refusal("output/mode", "Only a hairstyle can be shown from several angles: use the mode “single”.")
      }
      if let count = output?.count, count != 1 {
        throw refusal("output/count", "The mode “multiAngle” always makes four pictures: leave count out.")
      }
    }
    if `private` == true, recipe != .places, output?.inline != true, output?.directory == nil {
      throw refusal(
        "output", "A private result is not kept: ask for it with output.inline, or name an output.directory.")
    }
  }

  private func checkFormat() throws(AtelierError) {
    let isTransparent = style?.background == .transparent
    if isTransparent, let format = output?.format, !format.hasTransparency {
      throw refusal(
        "output/format", "A JPEG has no transparent parts: ask for the format png or webp, or for another background.")
    }
    let format = output?.format ?? PictureFormat.standard(for: style?.background)
    if output?.quality != nil, !format.hasQuality {
      throw refusal(
        "output/quality",
        "A PNG keeps every pixel as it is, so it has no quality: leave it out, or ask for the format webp.")
    }
    if output?.maxBytes != nil, !format.hasQuality {
      throw refusal(
        "output/maxBytes", "A PNG is as large as its pixels need: leave maxBytes out, or ask for the format jpeg or webp.")
    }
    if let least = output?.minBytes {
      if format != .jpeg {
        throw refusal("output/minBytes", "Only a JPEG can be filled up: leave minBytes out, or ask for the format jpeg.")
      }
      if let most = output?.maxBytes, least > most {
        throw refusal("output/minBytes", "The fewest bytes, \(least), are more than the most, \(most): change one of them.")
      }
    }
  }

  private func checkCrop() throws(AtelierError) {
    if output?.matte == true, recipe != .headshot {
      throw refusal("output/matte", "Only a headshot has a matte: leave it out, or use the recipe “headshot”.")
    }
    if output?.passportSize != nil, output?.crop != .passport {
      throw refusal(
        "output/passportSize", "Only a photo for a passport has a passportSize: ask for the crop “passport” with it.")
    }
    if output?.headHeight != nil, output?.crop != .passport {
      throw refusal(
        "output/headHeight", "Only a photo for a passport has a headHeight: ask for the crop “passport” with it.")
    }
    guard let crop = output?.crop else { return }
    if recipe != .headshot {
      throw refusal("output/crop", "Only a headshot has a crop: leave it out, or use the recipe “headshot”.")
    }
    if output?.aspectRatio != nil {
      throw refusal("output/aspectRatio", "The crop “\(crop.rawValue)” has a shape of its own: leave aspectRatio out.")
    }
    if crop == .passport, let angle = style?.angle, angle != .front {
      throw refusal("style/angle", "A passport shows the face from the front: leave the angle out.")
    }
  }

  private func checkWaiting() throws(AtelierError) {
    if whenOffline == .queue, `private` == true {
      throw refusal(
        "whenOffline", "A private request is not kept, so it cannot wait: leave private out, or let it fail at once.")
    }
    if waitMs != nil, whenOffline != .queue {
      throw refusal("waitMs", "Only a request that may wait takes a waitMs: ask for whenOffline “queue” with it.")
    }
  }

  private func refusal(_ member: String, _ sentence: Sentence) -> AtelierError {
    AtelierError(
      .wrongRecipeInput, sentence, details: ["recipe": .string(recipe.rawValue), "member": .string("/\(member)")])
  }
}

/// A member that belongs to some recipes only.
private enum Particular: String {
  case image, references, prompt, style, templateId, temperature, output, near, limit, language

  var recipes: Set<Recipe> {
    switch self {
    case .image: [.headshot, .hairstyle, .edit]
    case .references: [.hairstyle, .edit, .create]
    case .prompt, .temperature: [.hairstyle, .edit, .create, .places]
    case .style: [.headshot]
    case .templateId: [.hairstyle]
    case .near, .limit, .language: [.places]
    case .output: [.headshot, .hairstyle, .edit, .create]
    }
  }

  func refusal(for recipe: Recipe) -> Sentence {
    switch self {
    case .prompt: "A headshot takes no prompt: choose a style, or use the recipe “edit”."
    case .temperature: "The temperature of a headshot is fixed: leave it out."
    case .image:
      recipe == .create
        ? "The recipe “create” starts from words alone: use “edit” to change a picture."
        : "The recipe “places” takes no picture: leave image out."
    default: "The recipe “\(recipe.rawValue)” takes no \(rawValue): leave it out."
    }
  }
}
