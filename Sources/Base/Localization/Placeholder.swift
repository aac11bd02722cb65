/// The places of a template where arguments stand: `{1}`, `{2}`…
public enum Placeholder {
  /// The numbers of the placeholders, in the order in which they stand.
  public static func numbers(in template: String) -> [Int] {
    var numbers: [Int] = []
    _ = fill(template) { number in
      numbers.append(number)
      return ""
    }
    return numbers
  }

  /// The template with `argument(number)` in place of each placeholder. Other braces stay.
  static func fill(_ template: String, with argument: (Int) -> String) -> String {
    var result = ""
    var rest = template[...]
    while let brace = rest.firstIndex(of: "{") {
      result += rest[..<brace]
      rest = rest[brace...]
      guard let end = rest.firstIndex(of: "}"), let number = number(rest[rest.index(after: brace)..<end]) else {
        result.append(rest.removeFirst())
        continue
      }
      result += argument(number)
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  /// A number from 1 to 99, as digits alone.
  private static func number(_ digits: Substring) -> Int? {
    guard (1...2).contains(digits.utf8.count), digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
      let number = Int(digits), number > 0
    else { return nil }
    return number
  }
}
