import Glibc
import Testing

@testable import atelier

@Suite("What a terminal shows")
struct TerminalTests {
  @Test("a terminal has colours and lines that change unless something speaks against them", arguments: [
    // At a terminal, its kind, NO_COLOR, --color; lines that change, colours.
    (true, "xterm-256color", false, .auto, true, true), (true, "xterm", true, .auto, true, false),
    (true, "dumb", false, .auto, false, false), (true, nil, false, .auto, false, false),
    (false, "xterm", false, .auto, false, false), (false, nil, true, .always, false, true),
    (true, "xterm", false, .never, true, false), (true, "dumb", false, .always, false, true),
  ] as [(Bool, String?, Bool, ColorChoice, Bool, Bool)])
  func capabilities(
    isTerminal: Bool, type: String?, refusesColor: Bool, choice: ColorChoice, rewrites: Bool, hasColor: Bool
  ) {
    let terminal = Terminal(
      STDERR_FILENO, isTerminal: isTerminal, type: type, refusesColor: refusesColor, color: choice)
    #expect(terminal.rewritesLines == rewrites && terminal.hasColor == hasColor)
    #expect(terminal.colored("no", .red) == (hasColor ? "\u{1B}[31mno\u{1B}[0m" : "no"))
  }

  @Test("a text has the width that a terminal gives it, and is cut between characters", arguments: [
    ("photo.jpg", 9, "phot"), ("写真.jpg", 8, "写真"), ("e\u{301}te\u{301}s", 4, "e\u{301}te\u{301}s"), ("", 0, ""),
    ("a写真", 5, "a写"), ("👩‍👩‍👧x", 3, "👩‍👩‍👧x"), ("❤️❤️❤️", 6, "❤️❤️"), ("한국어", 6, "한국"),
    ("ｆｕｌｌ", 8, "ｆｕ"), ("…–“”", 4, "…–“”"), ("🇩🇪🇫🇷🇯🇵", 6, "🇩🇪🇫🇷"),
  ])
  func width(text: String, columns: Int, cut: String) {
    #expect(DisplayWidth.columns(of: text) == columns)
    #expect(DisplayWidth.cut(text, to: 4) == cut)
  }

  @Test("the bar of several pictures tells rate and time once one has ended")
  func bar() {
    var progress = BatchProgress(count: 4)
    #expect(progress.line(atMs: 0) == ("", "....................", "0/4"))
    progress.moved(0, to: 0.5, atMs: 1_000)
    #expect(progress.line(atMs: 2_000) == ("##", "..................", "0/4, running: 50 %"))
    progress.ended(0, atMs: 6_000)
    #expect(progress.line(atMs: 6_000) == ("#####", "...............", "1/4, 12/min, 15 s left"))
    progress.moved(1, to: 0.25, atMs: 6_000)
    #expect(progress.line(atMs: 11_000).rest == "1/4, 6/min, 22 s left, running: 25 %")
    for position in 1...3 { progress.ended(position, atMs: 21_000) }
    #expect(progress.line(atMs: 21_000) == ("####################", "", "4/4, 12/min"))
    // What comes later has a rate of its own, whatever the pause between.
    progress.add(60)
    #expect(progress.line(atMs: 900_000).rest == "4/64")
    progress.ended(4, atMs: 1_000_000)
    progress.ended(5, atMs: 1_120_000)
    #expect(progress.line(atMs: 1_120_000).rest == "6/64, 1/min, 58 min left")
  }
}
