/// How long a provider asks to be left alone: `45.837906927s`, `26s`, `1h2m3.5s`, `500ms`.
struct RetryDelay: Equatable {
  /// Rounded up, so that nobody comes too early; at most a day.
  let milliseconds: Int

  private static let maximum = 86_400_000

  /// - Returns: nil for what is no duration.
  init?(_ text: String) { self.init(text.utf8[...], whole: true) }

  /// The delay that a message names, as in "Please retry in 45.57s."
  init?(inMessage message: String) {
    for words in ["retry in ", "try again in "] {
      guard let range = message.lowercased().utf8.firstRange(of: Array(words.utf8)) else { continue }
      self.init(message.lowercased().utf8[range.upperBound...], whole: false)
      return
    }
    return nil
  }

  /// - Parameter whole: whether nothing may follow.
  private init?(_ text: Substring.UTF8View, whole: Bool) {
    var rest = text
    var total = 0
    var hasUnit = false
    while let part = Self.part(&rest) {
      total = min(Self.maximum, total + part)
      hasUnit = true
    }
    guard hasUnit, !whole || rest.isEmpty else { return nil }
    milliseconds = total
  }

  /// Takes a number and its unit; whole numbers only, so that no fraction is lost or made up.
  private static func part(_ rest: inout Substring.UTF8View) -> Int? {
    var text = rest
    let digits = takeDigits(&text)
    guard !digits.isEmpty else { return nil }
    var fraction: [Int] = []
    if text.first == UInt8(ascii: ".") {
      text = text.dropFirst()
      fraction = takeDigits(&text)
      guard !fraction.isEmpty else { return nil }
    }
    let units: [(String, Int)] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)]
    guard let (name, scale) = units.first(where: { text.starts(with: $0.0.utf8) }) else { return nil }
    rest = text.dropFirst(name.utf8.count)
    // Nine digits of a fraction are nanoseconds; more say nothing.
    let billionths = (fraction + [Int](repeating: 0, count: 9)).prefix(9).reduce(0) { $0 * 10 + $1 }
    let whole = digits.reduce(0) { min(maximum, $0 * 10 + $1) }
    return min(maximum, whole * scale + (billionths * scale + 999_999_999) / 1_000_000_000)
  }

  private static func takeDigits(_ text: inout Substring.UTF8View) -> [Int] {
    let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    text = text.dropFirst(digits.count)
    return digits.map { Int($0) - 0x30 }
  }
}
