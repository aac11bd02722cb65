/// How the person is placed in a picture.
public enum PictureCrop: String, Codable, Sendable, CaseIterable {
  /// As in a photo for a passport, of the size that `passportSize` names: the head has the height that the rule prescribes
  /// from chin to crown, is centred and upright, and the background is white unless another is named. A `size` of two sides,
  /// such as `600x750`, is then kept exactly. The warning
  /// `passport_rule` says which rule the photo breaks, as far as that can be measured.
  case passport
  /// Not at all: the picture shows the whole photo, in its shape, with another background or none. Everybody in it stays,
  /// and nothing is levelled.
  case wholeFrame = "none"
}
