import ArgumentParser
import AtelierProtocol

/// `atelier passports`: the sizes of photos for passports that have a name.
struct PassportsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "passports",
    abstract: "List the sizes of photos for passports that have a name.",
    discussion: """
      Use one with: atelier generate photo.jpg --passport NAME

      Authorities change their rules: look at theirs. `pictures.passportSizes` of the configuration adds sizes, and
      corrects these.
      """)

  @Flag(help: "Print the answer as JSON, in the form of the protocol.")
  var json = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    try await EngineAssembly.withEngine(common.settings) { engine in
      let presets = engine.configuration.passports.presets
      if json { return try Console.printJSON(presets) }
      for preset in presets { print(Self.line(preset)) }
    }
  }

  private static func line(_ preset: PassportPreset) -> String {
    let limits = [
      preset.headHeight.map { "head \($0.text)" }, preset.pixels.map { "\($0) pixels" },
      preset.maxBytes.map { "at most \($0) bytes" },
    ].compactMap { $0 }
    let details = ([preset.size.text] + limits).joined(separator: ", ")
    return "\(preset.id)  \(preset.title.onOneLine): \(details)"
  }
}
