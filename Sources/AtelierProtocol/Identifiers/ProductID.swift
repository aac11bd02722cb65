/// Something that is sold; the service's own name for it, whatever a store calls it.
public struct ProductID: Identifier {
  public static let meaning = "Something that is sold; the service's own name for it, whatever a store calls it."

  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
}
