import JSON
import Support
import Testing

@Suite("JSON numbers")
struct JSONNumberTests {
  /// A number written out, read the slow way: as text, digit by digit.
  private struct Model {
    /// As an integer is written, `-0` as `0`; nil for what is no integer or has more than 200 digits.
    var integer: String?

    init(_ text: String) {
      let isNegative = text.hasPrefix("-")
      let parts = text.drop { $0 == "-" }.split(whereSeparator: { $0 == "e" || $0 == "E" })
      let mantissa = parts[0].split(separator: ".")
      var digits = String(mantissa[0]) + (mantissa.count > 1 ? String(mantissa[1]) : "")
      guard digits.contains(where: { $0 != "0" }) else {
        integer = "0"
        return
      }
      var fractionDigits = mantissa.count > 1 ? mantissa[1].count : 0
      let exponent = parts.count > 1 ? String(parts[1]) : "0"
      // An exponent of so many digits moves the point out of any text that a test writes.
      guard let power = Int(exponent), (-100_000...100_000).contains(power) else { return }
      if power > 0 { digits += String(repeating: "0", count: power) }
      if power < 0 { fractionDigits -= power }
      digits = String(repeating: "0", count: max(0, fractionDigits + 1 - digits.count)) + digits
      guard digits.suffix(fractionDigits).allSatisfy({ $0 == "0" }) else { return }
      let whole = digits.dropLast(fractionDigits).drop { $0 == "0" }
      guard whole.count <= 200 else { return }
      integer = (isNegative ? "-" : "") + whole
    }

    func value<T: FixedWidthInteger>(as type: T.Type) -> T? {
      guard let integer else { return nil }
      let border = integer.hasPrefix("-") ? "\(T.min)" : "\(T.max)"
      guard !integer.hasPrefix("-") || T.isSigned else { return nil }
      let fits = integer.count == border.count ? integer <= border : integer.count < border.count
      return fits ? T(integer) : nil
    }
  }

  private func check(_ text: String) throws {
    let number = try #require(JSONNumber(text: text), "\(text)")
    let model = Model(text)
    #expect(number.integer(as: Int8.self) == model.value(as: Int8.self), "\(text)")
    #expect(number.integer(as: UInt8.self) == model.value(as: UInt8.self), "\(text)")
    #expect(number.integer(as: Int32.self) == model.value(as: Int32.self), "\(text)")
    #expect(number.integer(as: UInt32.self) == model.value(as: UInt32.self), "\(text)")
    #expect(number.integer(as: Int64.self) == model.value(as: Int64.self), "\(text)")
    #expect(number.integer(as: UInt64.self) == model.value(as: UInt64.self), "\(text)")
    #expect(number.integer(as: Int128.self) == model.value(as: Int128.self), "\(text)")
    #expect(number.int64 == model.value(as: Int64.self), "\(text)")
    #expect(!number.double.isNaN, "\(text)")
    if let exact = model.value(as: Int64.self), exact.magnitude <= 1 << 53 {
      #expect(number.double == Double(exact), "\(text)")
    }
  }

  @Test("JSON numbers are integers exactly when they have no fraction and fit", arguments: HostileInput.numbers)
  func hostile(text: String) throws { try check(text) }

  @Test("JSON numbers are read at every border in every way to write them", arguments: 0..<400 as Range<UInt64>)
  func borders(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<40 {
      let bits = Int.random(in: 0...127, using: &random)
      let near = (UInt128(1) << UInt128(bits)) &+ UInt128(UInt8.random(in: 0...4, using: &random)) &- 2
      var digits = String(near)
      var power = 0
      // JSON has no leading zeros.
      if near > 0, Bool.random(using: &random) {
        let zeros = Int.random(in: 0...45, using: &random)
        digits += String(repeating: "0", count: zeros)
        power -= zeros
      }
      if Bool.random(using: &random) {
        let place = Int.random(in: 1...digits.count, using: &random)
        let fraction = digits.dropFirst(place)
        power += fraction.count
        digits = digits.prefix(place) + (fraction.isEmpty ? "" : ".\(fraction)")
      }
      power += Int.random(in: 0..<6, using: &random) == 0 ? Int.random(in: -45...45, using: &random) : 0
      let mark = ["e", "E"].randomElement(using: &random) ?? "e"
      let sign = power >= 0 && Bool.random(using: &random) ? "+" : ""
      let exponent = power == 0 && Bool.random(using: &random) ? "" : "\(mark)\(sign)\(power)"
      try check((Bool.random(using: &random) ? "-" : "") + digits + exponent)
    }
  }

  @Test("JSON numbers of floating point come back as they were", arguments: 0..<50 as Range<UInt64>)
  func doubles(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<100 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else {
        #expect(JSONNumber(value) == nil)
        continue
      }
      let number = try #require(JSONNumber(value))
      #expect(number.double == value)
      #expect(JSONNumber(text: number.text) == number, "it is written as JSON writes numbers")
    }
  }

  @Test("JSON numbers are refused by name where they are out of range", arguments: HostileInput.numbers)
  func decoding(text: String) throws {
    struct Message: Decodable {
      var count: Int
      var ratio: Double?
      var small: UInt8?
    }
    let value = try JSONValue(parsing: #"{"count":\#(text),"ratio":\#(text),"small":\#(text)}"#.utf8)
    let decoder = JSONValueDecoder(unknownMembers: .reject)
    do throws(JSONDecodingFailure) {
      let message = try decoder.decode(Message.self, from: value)
      #expect(JSONNumber(text: text)?.int64 == Int64(message.count))
    } catch {
      #expect(["/count", "/ratio", "/small"].contains(error.path), "\(text)")
    }
  }
}
