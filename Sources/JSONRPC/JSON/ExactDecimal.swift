/// A decimal number taken apart, to learn whether `1.50e1` is an integer without a rounding error.
struct ExactDecimal {
  private var isNegative = false
  /// Significant digits without leading or trailing zeros.
  private var digits: [UInt8] = []
  /// The power of ten that `digits`, read as an integer, is multiplied by.
  private var exponent = 0

  /// - Returns: nil when the exponent is absurdly large; such a number fits no integer, unless it is zero.
  init?(_ text: String) {
    var isFraction = false
    var writtenExponent: Int? = 0
    var bytes = text.utf8[...]
    while let byte = bytes.popFirst() {
      switch byte {
      case ASCII.minus: isNegative = true
      case ASCII.period: isFraction = true
      case ASCII.lowercaseE, ASCII.uppercaseE:
        writtenExponent = Int(Substring(bytes))
        bytes = bytes[bytes.endIndex...]
      default:
        if !digits.isEmpty || byte != ASCII.zero { digits.append(byte - ASCII.zero) }
        // Bounded by the length of the text, as the zeros below are.
        if isFraction { exponent -= 1 }
      }
    }
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    // Zero is zero whatever its exponent.
    if digits.isEmpty { return }
    guard let writtenExponent, case (let sum, false) = exponent.addingReportingOverflow(writtenExponent) else {
      return nil
    }
    exponent = sum
  }

  func integer<T: FixedWidthInteger>() -> T? {
    if digits.isEmpty { return 0 }
    // No integer type here has more than 40 digits; a longer run of zeros cannot fit.
    guard exponent >= 0, digits.count <= 40, exponent <= 40 else { return nil }
    var value: T = 0
    for digit in digits + Array(repeating: 0, count: exponent) {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      guard !overflow, let step = T(exactly: digit) else { return nil }
      let (sum, sumOverflow) =
        isNegative ? product.subtractingReportingOverflow(step) : product.addingReportingOverflow(step)
      if sumOverflow { return nil }
      value = sum
    }
    return value
  }
}
