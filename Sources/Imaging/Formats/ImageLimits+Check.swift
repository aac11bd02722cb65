import JSONRPC

extension ImageLimits {
  /// - Throws: `invalid_dimensions` with the numbers, when a picture of these sides is not allowed.
  public func check(width: Int, height: Int) throws(ImagingError) {
    guard let problem = problem(width: width, height: height) else { return }
    throw ImagingError(
      .invalidDimensions, "The picture is \(width) × \(height) pixels; \(problem)",
      details: [
        "width": .number(JSONNumber(width)), "height": .number(JSONNumber(height)),
        "minimumSide": .number(JSONNumber(minimumSide)), "maximumSide": .number(JSONNumber(maximumSide)),
        "maximumPixels": .number(JSONNumber(maximumPixels)),
      ])
  }

  private func problem(width: Int, height: Int) -> String? {
    if min(width, height) < minimumSide {
      return "each side must have at least \(minimumSide). Please use a larger picture."
    }
    let (pixels, isHuge) = width.multipliedReportingOverflow(by: height)
    if isHuge || pixels > maximumPixels {
      return "at most \(maximumPixels / 1_000_000) megapixels are accepted. Please use a smaller picture."
    }
    if max(width, height) > maximumSide {
      return "each side may have at most \(maximumSide). Please scale it down first."
    }
    return nil
  }
}
