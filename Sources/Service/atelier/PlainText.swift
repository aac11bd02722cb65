import AtelierProtocol
import Glibc

extension Timestamp {
  /// The time for a person, in this machine's time zone: `2026-11-21 17:26`.
  var localText: String {
    var seconds = time_t(milliseconds / 1000)
    var parts = tm()
    var text = [CChar](repeating: 0, count: 32)
    guard localtime_r(&seconds, &parts) != nil, strftime(&text, text.count, "%Y-%m-%d %H:%M", &parts) > 0 else {
      return self.text
    }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension String {
  /// A path for a person: with `~` for the home directory, and on one line.
  var homeRelative: String {
    guard let home = Environment.value(of: "HOME"), home.hasPrefix("/"), home != "/", hasPrefix(home + "/") else {
      return onOneLine
    }
    return ("~" + dropFirst(home.count)).onOneLine
  }

  /// The text without what would move a terminal's cursor: the name of a file or a prompt may hold anything.
  var onOneLine: String {
    String(UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
  }

  /// The beginning of a text, of at most `count` bytes, without cutting a character.
  func cut(toBytes count: Int) -> String {
    var (text, bytes) = ("", 0)
    for character in self {
      bytes += character.utf8.count
      if bytes > count { break }
      text.append(character)
    }
    return text
  }

  /// The beginning of a text, for a list.
  func shortened(to count: Int) -> String { self.count > count ? prefix(count - 1) + "…" : self }
}

extension Generation {
  /// The name of the photo that a command made it from; nil where none noted it.
  var sourceName: String? { metadata?["source"]?.string }

  /// Where its pictures are, for a person: the file that a command wrote, if it is still there, else those that are kept.
  var pictureFiles: [String] {
    let kept = images.compactMap(\.path)
    guard let target = metadata?["target"]?.string, access(target, F_OK) == 0 else { return kept }
    // A target is one file; the other pictures stand in their order.
    return [target] + kept.dropFirst()
  }

  /// The generation for a person: what it is on one line, then its pictures or its error.
  var lines: [String] {
    let what = [recipe.rawValue, style?.name, templateId, prompt?.onOneLine.shortened(to: 60)].compactMap { $0 }
    // The progress of what runs is known to its own process only.
    let progress = state == .queued ? self.progress.map { " (\($0.message))" } ?? "" : ""
    let account = account == .owner ? [] : ["for \(account.rawValue.onOneLine)"]
    let source = sourceName.map { [$0.onOneLine] } ?? []
    let head = [createdAt.localText, generationId.rawValue, state.rawValue + progress, what.joined(separator: " ")]
    let details = pictureFiles.map(\.homeRelative) + [error?.message.text].compactMap { $0 }.map(CommandWords.sentence)
    return [(head + source + account).joined(separator: "  ")] + details.map { "    \($0)" }
  }
}

/// A number of bytes for a person: of a million bytes for each MB.
struct Megabytes: CustomStringConvertible {
  let description: String

  init(_ bytes: Int) {
    let tenths = (bytes + 99_999) / 100_000
    description = "\(tenths / 10).\(tenths % 10) MB"
  }
}
