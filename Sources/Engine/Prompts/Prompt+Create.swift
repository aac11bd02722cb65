extension Prompt {
  /// A picture from the user's words, which lead: the frame only says that a picture is wanted and what not to add.
  /// - Parameters:
  ///   - references: how many pictures are attached, to go by.
  ///   - variation: 0 for the first picture of a request, 1 for the second….
  ///   - temperature: the user's; nil leaves it to the provider.
  public static func create(
    _ words: UserWords, references: Int = 0, variation: Int = 0, temperature: Double? = nil
  ) -> Prompt {
    Prompt(
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
