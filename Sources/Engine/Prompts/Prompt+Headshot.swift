import AtelierProtocol

extension Prompt {
  /// A headshot is to be true to the photo, not inventive (REQUIREMENTS 1.2).
  public static let headshotTemperature = 0.25

  /// One of the six engineered prompts: that of the nearest named angle, with the turn in degrees (REQUIREMENTS 1.2).
  /// - Parameter variation: 0 for the first picture of a request; each further one asks for another expression.
  public static func headshot(_ style: Style, variation: Int = 0) -> Prompt {
    let turn = HeadshotTurn(style.angle)
    return Prompt(
      paragraphs: [
        style.background.assignment, identity, "\(turn.pose) \(HeadshotExpression(variation: variation).words)",
        "\(style.background.camera) \(turn.framing)", style.background.light(from: turn.lightSide),
        style.background.surroundings, limits,
      ], temperature: headshotTemperature)
  }

  private static let identity = """
    Identity comes before everything else: whoever knows this person must recognise them at once and find nothing \
    changed. Keep the shape of the face and jaw, the forehead and hairline, and the set, shape and colour of the eyes, \
    brows, nose, lips, teeth and ears exactly as the photo shows them. Every asymmetry stays on its own side; never \
    mirror the face. Keep the skin's own tone and its own texture, with pores and lines, and leave freckles, moles, \
    scars, birthmarks and tattoos where they are. Keep the apparent age, the build, the gender expression and the \
    ethnic features; the colour, length, texture and parting of the hair, and any beard or stubble; and whatever is \
    worn on the head or face: glasses, hearing aids, piercings, jewellery, a head covering. Add none that the photo \
    does not show. Do not beautify: no smoothed skin, no slimmer face, no larger eyes, no whiter teeth, nothing made \
    younger or more regular. Where the pose reveals what the photo hides, continue it from what the photo does show.
    """

  private static let limits = """
    The result is a single unretouched photograph of one person that fills the whole frame. Nobody else appears, not \
    even blurred; no hands near the face; no text, lettering, logo, watermark, signature, border or collage; nothing \
    of an illustration, a painting or a computer rendering.
    """
}
