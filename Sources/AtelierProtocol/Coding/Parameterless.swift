/// A message that has no params: any member is an unknown one, which synthesised coding would not notice.
public protocol Parameterless: Codable {
  init()
}

extension Parameterless {
  public init(from decoder: any Decoder) throws {
    _ = try decoder.container(keyedBy: NoMember.self)
    self.init()
  }

  public func encode(to encoder: any Encoder) throws {
    _ = encoder.container(keyedBy: NoMember.self)
  }
}

private enum NoMember: CodingKey {}
