/// How the person is placed in a picture.
public enum PictureCrop: String, Codable, Sendable, CaseIterable {
  /// As a photo for a passport, of 35 × 45 mm after ICAO 9303: the head is 70 to 80 % of the height from chin to crown and
  /// centred, the eyes are on one line at 50 to 70 % of the height, and the background is white unless another is named.
  /// The warning `passport_rule` says which rule the photo breaks, as far as that can be measured.
  case passport
}
