extension Style {
  /// The six styles that have a name: three angles before two backgrounds, the professional ones first.
  public static let named: [Style] = Background.allCases.flatMap { background in
    Angle.Name.allCases.map { Style(angle: $0.angle, background: background) }
  }

  /// The name of the style nearest to this one: `left-professional`.
  public var name: String { "\(angle.nearestName.rawValue)-\(background.rawValue)" }
}
