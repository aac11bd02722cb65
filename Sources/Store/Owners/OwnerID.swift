/// A process that works on generations, for as long as it holds the lock of this name.
public struct OwnerID: RawRepresentable, Sendable, Hashable {
  public var rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Owns what any process may begin. No process has this name, and no lock.
  public static let nobody = OwnerID(rawValue: "nobody")
}
