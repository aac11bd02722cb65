import AtelierProtocol
import Glibc

/// `--passport us` and `--passport 36x47`: the size may follow the flag, as people write it.
enum PassportArgument {
  private static let flag = "--passport"
  private static let option = "--passport-size"

  /// The arguments with ``option`` where a size follows the flag. A file of that name stays a photo.
  static func meant(
    by arguments: [String], isFile: (String) -> Bool = { access($0, F_OK) == 0 }
  ) -> [String] {
    var meant: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" { return meant + [argument] + rest }
      if argument == flag, let next = rest.first, isSize(next), !isFile(next) {
        meant += [option, rest.removeFirst()]
      } else if argument.hasPrefix("\(flag)=") {
        meant.append(option + argument.dropFirst(flag.count))
      } else {
        meant.append(argument)
      }
    }
    return meant
  }

  private static func isSize(_ text: String) -> Bool {
    // An operator may have names of their own; what has a dot is a photo that is missing.
    PassportSize(text: text).map { $0.printed != nil || !text.contains { "./".contains($0) } } == true
  }
}
