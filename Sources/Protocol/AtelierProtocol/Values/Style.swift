/// The look of a headshot: the direction in which the person looks, and the background.
public struct Style: Hashable, Sendable, Codable {
  /// The direction in which the person looks. Default: to the front; a provider on this machine, which cannot turn a
  /// head, then keeps the direction of the photo.
  public var angle: Angle?
  /// The background: `auto`, a plain studio backdrop unless a headshot made on this machine cannot be cut out well enough,
  /// and then the photo's own, out of focus, with the warning `background_kept`; `professional`, a plain studio backdrop in
  /// every case; `casual`, an everyday place, out of focus; `white`, `transparent`, or a colour such as `#1e90ff`; `keep`,
  /// the photo's own, of which a headshot made on this machine is levelled, cropped and lit only. Default: `auto`, which is
  /// `white` for a passport.
  public var background: Background?

  public init(angle: Angle? = nil, background: Background? = nil) {
    self.angle = angle
    self.background = background
  }
}

extension Style {
  /// The six styles that have a name: three angles with two backgrounds, the professional ones first.
  public static let named: [Style] = [Background.professional, .casual].flatMap { background in
    Angle.Name.allCases.map { Style(angle: $0.angle, background: background) }
  }

  /// The name of the style nearest to this one: `left-professional`, or `casual` if it names no angle, for instance.
  public var name: String { (angle.map { "\($0.nearestName.rawValue)-" } ?? "") + (background ?? .usual).text }

  /// The name of the nearest angle; the front if the style names no angle.
  public var nearestAngleName: Angle.Name { angle?.nearestName ?? .front }
}
