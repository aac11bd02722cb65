/// Names a picture that `image/prepare` made ready; it is kept for a day (REQUIREMENTS 7.2).
public struct PreparedID: Identifier {
  public static let meaning = "Names a picture that `image/prepare` made ready."

  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
}
