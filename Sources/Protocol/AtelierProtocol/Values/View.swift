/// A side of the head that one picture of a multi-angle generation shows. Left and right are the
/// viewer's, as in headshots: in `left` the nose points at the left edge of the picture.
public enum View: String, Codable, Sendable, CaseIterable {
  case front, left, right, back
}
