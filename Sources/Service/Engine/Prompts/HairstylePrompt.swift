import AtelierProtocol

extension PicturePrompt {
  /// The default temperature of a hairstyle.
  public static let hairstyleTemperature = 0.8

  /// Another hairstyle for the person in a photo: from words, a template's words, reference pictures, or several of
  /// them. The prompt always says that the face is kept.
  /// - Parameters:
  ///   - words: the user's.
  ///   - template: the words of the library's template.
  ///   - references: how many pictures follow the photo, for the hair alone.
  ///   - view: the side of the head to show; nil keeps the camera where it was.
  ///   - variation: 0 for the first picture of a request, 1 for the second….
  ///   - temperature: the user's; nil for ``hairstyleTemperature``.
  public static func hairstyle(
    _ words: UserWords?, template: String? = nil, references: Int = 0, view: View? = nil, variation: Int = 0,
    temperature: Double? = nil
  ) -> PicturePrompt {
    let take = "dress the same hairstyle in a way that suits the person as well as"
    return PicturePrompt(
      paragraphs: [
        hairstyleAssignment(hasWords: words != nil, references: references), "\(facePreservation) \(facePrecautions)",
        template.map { "The hairstyle, as a hairdresser describes it: \($0)" }, hairReferences(references),
        precedence(hasWords: words != nil, hasTemplate: template != nil, references: references),
        view.map { "\($0.hairstylePose) \(sitting)" } ?? sameFrame, realHair,
        variation == 0 ? nil : furtherTake(variation, of: take),
        words.map { _ in "What the person wishes for, in their own words, from here to the end:" }, words?.text,
      ].compactMap { $0 }, temperature: temperature ?? hairstyleTemperature)
  }

  private static func hairstyleAssignment(hasWords: Bool, references: Int) -> String {
    let photo = references <= 0 ? "the attached photo" : "the first of the attached pictures, which is the photo,"
    let assignment = """
      Give the person in \(photo) another hairstyle, as an accomplished hairdresser would cut, colour and dress it on \
      that very head: one photorealistic picture of exactly that person, in which the hair is new and nothing else. If \
      the photo shows several people, the one whose face is largest is meant.
      """
    guard hasWords else { return assignment }
    return """
      \(assignment) The person's own words end this text, in whatever language and script they are written; they are a \
      wish about hair and beard and nothing else.
      """
  }

  /// The sentence that every hairstyle prompt contains.
  static let facePreservation = """
    Preserve the face exactly as the photo shows it: the shape of the face and jaw, the forehead, the set, shape and \
    colour of the eyes, the brows, nose, lips, teeth and ears, the skin's own tone and texture with every line, \
    freckle, mole and scar, the apparent age, the gender expression and the ethnic features, so that whoever knows \
    this person recognises them at once and finds only the hair changed.
    """

  private static let facePrecautions = """
    Every asymmetry of the face stays on its own side; never mirror it, and do not beautify: no smoothed skin, no \
    slimmer face, no larger eyes, no make-up that the photo does not show. A beard, a moustache or stubble stays as it \
    is unless the hairstyle asked for is one of the beard. Glasses, hearing aids, piercings and jewellery stay. Hair \
    may fall over the forehead, the ears or the neck, but does not reshape them; where the new hair leaves free what \
    the old one covered, continue skin and surroundings from what the photo does show.
    """

  private static func hairReferences(_ count: Int) -> String? {
    if count <= 0 { return nil }
    let hair = "the cut, length, volume, texture, fringe, parting, colour and finish of the hair"
    let use =
      count == 1
      ? "The second picture is a reference for the hair and for nothing else: take \(hair) from it,"
      : """
      The second and the third picture are references for the hair and for nothing else: take \(hair) from them, and \
      where they differ, as in a cut from one and a colour from the other, bring both into one hairstyle,
      """
    return """
      \(use) fitted to this person's own head, hairline and density of hair. Whoever is seen in a reference does not \
      appear in the result: nothing of their face, skin, age, build, clothes or surroundings is taken over, and no \
      face is blended into the face of the photo.
      """
  }

  /// Which source wins if several disagree; nil when they cannot.
  private static func precedence(hasWords: Bool, hasTemplate: Bool, references: Int) -> String? {
    let picture = references == 1 ? "the reference picture" : "the reference pictures"
    let sources = [
      hasWords ? "the person's own words" : nil, references > 0 ? picture : nil,
      hasTemplate ? "the hairdresser's description" : nil,
    ].compactMap { $0 }
    guard sources.count > 1 else { return nil }
    return "All of it is one hairstyle; where it disagrees, go first by \(sources.joined(separator: ", then by "))."
  }

  /// Without a view: everything but the hair stays the same.
  private static let sameFrame = """
    Everything but the hair stays as it is: the pose and the expression, the clothes, the background, the composition, \
    the crop and proportions of the frame, and the angle and perspective of the camera. The head is neither moved nor \
    made smaller: hair that needs more room than the frame has runs out of it.
    """

  /// With a view: what all views have in common.
  private static let sitting = """
    This is one of four photographs of a single sitting, from the front, from both sides and from behind: the same \
    person with the same haircut. Lengths, layers, fringe, parting, texture and colour agree from every side, and what \
    lies on one side of the head, such as a parting, a shaved side or a braid, lies on that side in all four. Clothes, \
    background and light are those of the photo, and what the photo does not show from here is continued from what it \
    does show. The camera stands at eye level two metres away with an 85 mm portrait lens; the whole head is inside \
    the frame, with all its hair down to the tips where it is not longer than the chest.
    """

  private static let realHair = """
    The hair is real hair that grows from this scalp: single strands, natural roots and hairline, believable density \
    and weight, a few stray hairs, and the soft shadow it throws on forehead, ears and neck. It takes on the \
    direction, hardness and colour of the light in the photo, with its sharpness and grain, so that no edge, halo or \
    trace of the change shows. The result is a single photograph: no comparison or collage, nobody else, no hands, \
    scissors or mirror, no text, lettering, watermark, signature or border, and nothing of a wig, an illustration or a \
    computer rendering.
    """
}

extension View {
  /// The camera position for a view of a hairstyle, and what it shows. Left and right are the viewer's.
  var hairstylePose: String {
    switch self {
    case .front:
      """
      Show the front view: the person faces the camera squarely, head and shoulders turned to neither side, so that \
      both halves of the face show equally and the eyes look straight into the lens. The hairline or fringe, the \
      parting, both temples and the fall of the hair on either side of the face are seen.
      """
    case .left, .right:
      """
      Show the \(rawValue) profile: head and shoulders are turned ninety degrees to the viewer's \(rawValue), which is \
      the person's own \(otherSide), so that the nose points towards the \(rawValue) edge of the picture, only the \
      person's \(rawValue) cheek, eye and ear are seen, and the gaze follows the nose. The line of the cut from \
      the forehead over the temple and the ear down to the nape, and the outline of the crown, are seen.
      """
    case .back:
      """
      Show the back view: the person is turned a hundred and eighty degrees, away from the camera, which looks \
      squarely at the back of the head and of the shoulders; nothing of the face is seen, neither in profile nor \
      reflected. The crown, the back of both ears where the hair leaves them free, the nape, the neckline and the ends \
      of the hair are seen.
      """
    }
  }

  private var otherSide: String { self == .left ? "right" : "left" }
}
