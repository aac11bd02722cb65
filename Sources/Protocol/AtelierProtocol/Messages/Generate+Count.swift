extension Generate {
  /// Whether several views of a head are requested.
  public var isMultiAngle: Bool { output?.mode == .multiAngle }

  /// The number of results requested, each of which is made and paid for: pictures, or one list of places.
  public var resultCount: Int {
    if recipe == .places { return 1 }
    return isMultiAngle ? View.allCases.count : output?.count ?? 1
  }

  /// The number of pictures requested: places come as words.
  public var pictureCount: Int { recipe == .places ? 0 : resultCount }
}
