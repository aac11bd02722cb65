extension StylesList.Entry {
  /// The entry of a style, in words for people.
  public init(style: Style, providers: [ProviderID]) {
    self.init(
      id: style.name, title: "\(style.angle.nearestName.title), \(style.background.rawValue)",
      description: "\(style.angle.nearestName.sentence), \(style.background.phrase).", style: style,
      providers: providers)
  }
}

extension Angle.Name {
  fileprivate var title: String {
    switch self {
    case .left: "To the left"
    case .front: "From the front"
    case .right: "To the right"
    }
  }

  fileprivate var sentence: String {
    switch self {
    case .left: "Turned a little to the left"
    case .front: "Looking straight into the camera"
    case .right: "Turned a little to the right"
    }
  }
}

extension Background {
  fileprivate var phrase: String {
    switch self {
    case .professional: "before a plain studio backdrop"
    case .casual: "before an everyday place, softly out of focus"
    }
  }
}
