import JSONRPC

/// How a headshot is to look: which way the person looks, and before what (REQUIREMENTS 1.2).
public struct Style: Hashable, Sendable, Codable {
  public var angle: Angle
  public var background: Background

  public init(angle: Angle = .front, background: Background = .professional) {
    self.angle = angle
    self.background = background
  }

  private enum CodingKeys: CodingKey { case angle, background }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    angle = try members.decodeIfPresent(Angle.self, forKey: .angle) ?? .front
    background = try members.decodeIfPresent(Background.self, forKey: .background) ?? .professional
  }
}
