import Encodings
import Glibc

// Imported for the linker: conversions between integers and floating point need libm in debug builds.

/// A JSON number that keeps the text it was written with, so that nothing is lost on the way through:
/// `1.0` stays `1.0`, and an integer beyond 2^53 stays exact.
///
/// Two numbers are equal when their texts are.
public struct JSONNumber: Sendable, Hashable {
  /// The number in the grammar of RFC 8259 section 6.
  public let text: String

  /// - Returns: nil unless `text` follows the grammar of RFC 8259 section 6.
  public init?(text: String) {
    var text = text
    let isNumber = text.withUTF8 { bytes in
      Self.length(in: bytes.span, from: 0) == bytes.count && !bytes.isEmpty
    }
    guard isNumber else { return nil }
    self.text = text
  }

  public init(_ value: Int64) { text = String(value) }

  public init(_ value: some FixedWidthInteger) { text = String(value) }

  /// - Returns: nil for an infinity or a NaN, which JSON cannot write.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    // The shortest text that reads back as the same value; an integral value needs no fraction.
    if let integer = Int64(exactly: value), integer.magnitude < 1 << 53 {
      text = String(integer)
    } else {
      text = value.description
    }
  }

  /// For the parser, which has already checked the grammar.
  init(checkedText text: String) { self.text = text }

  /// The value when it is integral and within the range; `1.0` and `1e2` are integral.
  public var int64: Int64? { integer() }

  /// The nearest `Double`; infinite when the number is too large for any finite one.
  public var double: Double { Double(text) ?? .nan }

  /// The exact value as `T`, or nil when it has a fraction or is out of range.
  public func integer<T: FixedWidthInteger>(as type: T.Type = T.self) -> T? {
    if let plain = T(text, radix: 10) { return plain }
    guard let decimal = ExactDecimal(text) else { return nil }
    return decimal.integer()
  }

  /// The length in bytes of the number that starts at `start`, or nil if no number starts there.
  static func length(in bytes: borrowing Span<UInt8>, from start: Int) -> Int? {
    var position = start
    if position < bytes.count, bytes[position] == ASCII.minus { position += 1 }
    guard position < bytes.count, ASCII.isDigit(bytes[position]) else { return nil }
    if bytes[position] == ASCII.zero {
      position += 1
    } else {
      skipDigits(in: bytes, at: &position)
    }
    if position < bytes.count, bytes[position] == ASCII.period {
      position += 1
      guard skipDigits(in: bytes, at: &position) else { return nil }
    }
    if position < bytes.count, bytes[position] | 0x20 == ASCII.lowercaseE {
      position += 1
      if position < bytes.count, bytes[position] == ASCII.plus || bytes[position] == ASCII.minus { position += 1 }
      guard skipDigits(in: bytes, at: &position) else { return nil }
    }
    return position - start
  }

  @discardableResult
  private static func skipDigits(in bytes: borrowing Span<UInt8>, at position: inout Int) -> Bool {
    let start = position
    while position < bytes.count, ASCII.isDigit(bytes[position]) { position += 1 }
    return position > start
  }
}

/// A decimal number split into its parts, to check without rounding errors whether `1.50e1` is an integer.
struct ExactDecimal {
  private var isNegative = false
  /// Significant digits without leading or trailing zeros.
  private var digits: [UInt8] = []
  /// The power of ten that `digits`, read as an integer, is multiplied by.
  private var exponent = 0

  /// - Returns: nil when the exponent is absurdly large; such a number fits no integer type, unless it is zero.
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
        // Bounded by the length of the text, like the zeros below.
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
