/// One pixel, as a word a table can hold.
enum Colour: String, Sendable {
  case red, green, blue, light, dark, white, other

  init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    let (red, green, blue) = (Int(red), Int(green), Int(blue))
    if red > max(green, blue) + 60 {
      self = .red
    } else if green > max(red, blue) + 60 {
      self = .green
    } else if blue > max(red, green) + 60 {
      self = .blue
    } else if min(red, green, blue) >= 245 {
      self = .white
    } else if min(red, green, blue) >= 200 {
      self = .light
    } else {
      self = max(red, green, blue) < 140 ? .dark : .other
    }
  }
}
