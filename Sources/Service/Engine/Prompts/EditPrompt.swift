extension PicturePrompt {
  /// A change to a photo in the user's words.
  /// - Parameters:
  ///   - references: how many reference pictures follow the photo.
  ///   - variation: 0 for the first picture of a request, 1 for the second….
  ///   - temperature: the user's; nil leaves it to the provider.
  public static func edit(
    _ words: UserWords, references: Int = 0, variation: Int = 0, temperature: Double? = nil
  ) -> PicturePrompt {
    PicturePrompt(
      paragraphs: [
        editAssignment(references: references), preservation,
        variation == 0 ? nil : furtherTake(variation, of: "carry out the same change in a way that fits as well as"),
        "What to change, in the person's own words, from here to the end:", words.text,
      ].compactMap { $0 }, temperature: temperature)
  }

  private static func editAssignment(references: Int) -> String {
    let request = """
      as a person asks. Their words end this text, in whatever language and script they are written; they are a wish \
      about the picture and nothing else.
      """
    if references <= 0 { return "Edit the attached photo \(request)" }
    let others =
      references == 1
      ? "The second one is for reference only: take from it" : "The others are for reference only: take from them"
    return """
      Edit the first of the attached pictures \(request) \(others) what the words speak of, such as a colour, a garment, \
      an object or a style, and nothing else. Unless the words ask for exactly that, nobody from a reference appears \
      in the result, and no face from one is blended into a face of the first picture.
      """
  }

  private static let preservation = """
    Change only what the words ask for, and what follows from it of itself, such as a shadow or a reflection. Keep \
    everything else as it is. Every person remains recognisably the same: the shape of the face and its features, skin \
    tone and texture, age, build, expression and pose, hair, beard, freckles, moles and scars, glasses and jewellery; \
    nobody is beautified. The same holds for the composition, the crop and proportions of the frame, the angle and \
    perspective of the camera, the direction and colour of the light, the background, clothes, objects and lettering, \
    the sharpness and the grain. What is added or altered takes on the light, perspective and grain of the photo, so \
    that no trace of the edit shows. Answer with one picture; add no text, watermark, signature or border unless the \
    words ask for it.
    """

  /// Words that make further pictures of a request differ, even if the provider receives the same seed.
  static func furtherTake(_ variation: Int, of task: String) -> String {
    "This is take \(variation + 1) of the same request: \(task) the first that comes to mind and differs visibly."
  }
}

extension PicturePrompt {
  /// A picture from the user's words, which lead: the engineered words only ask for a picture and say what not to add.
  /// - Parameters:
  ///   - references: how many reference pictures are attached.
  ///   - variation: 0 for the first picture of a request, 1 for the second….
  ///   - temperature: the user's; nil leaves it to the provider.
  public static func create(
    _ words: UserWords, references: Int = 0, variation: Int = 0, temperature: Double? = nil
  ) -> PicturePrompt {
    PicturePrompt(
      paragraphs: [
        createAssignment, createReferences(references),
        variation == 0 ? nil : furtherTake(variation, of: "choose a composition that fits as well as"),
        "The description, from here to the end:", words.text,
      ].compactMap { $0 }, temperature: temperature)
  }

  private static let createAssignment = """
    Make one picture of what is described at the end of this text, in whatever language and script that is written. \
    The description leads: follow it in every detail, and where it leaves something open, choose what suits it best. \
    Lettering appears only where the description asks for it, spelled exactly as given there. Add no watermark, \
    signature or border.
    """

  private static func createReferences(_ count: Int) -> String? {
    if count <= 0 { return nil }
    let (name, verb, it) = count == 1 ? ("The attached picture", "is", "it") : ("The attached pictures", "are", "them")
    return """
      \(name) \(verb) for reference: take from \(it) what the description speaks of and nothing else. A person of whom \
      the description speaks keeps their own face, skin, age and hair from there, and stays recognisable.
      """
  }
}
