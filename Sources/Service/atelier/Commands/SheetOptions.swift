import ArgumentParser
import AtelierProtocol

/// A sheet of paper with copies of the picture.
struct SheetOptions: ParsableArguments {
  @Option(
    help: """
      Make a sheet for printing as well, with copies of the picture in its size: 10x15 in centimetres, 4x6in, a4, a5, a6 \
      or letter. It is named like the picture, with -sheet; -o takes the sheet alone.
      """)
  var sheet: PaperSize?

  @Option(help: "The number of copies on the sheet. (default: as many as fit)")
  var copies: Int?

  @Option(help: "The format of the sheet: pdf or jpeg; by default that of the file after -o, otherwise pdf.")
  var sheetFormat: SheetFormat?

  @Flag(help: "Leave out the lines on the sheet that show where to cut.")
  var noCuttingLines = false

  func validate() throws {
    guard sheet != nil || copies == nil && sheetFormat == nil && !noCuttingLines else {
      throw ValidationError("Name the paper with --sheet: --copies, --sheet-format and --no-cutting-lines belong to it.")
    }
    if let copies, !SheetCopies.range.contains(copies) {
      let range = SheetCopies.range
      throw ValidationError("--copies must be a number from \(range.lowerBound) to \(range.upperBound).")
    }
  }

  /// The sheet that is asked for; nil for none.
  /// - Parameter output: the file after -o.
  /// - Throws: wrong usage.
  func printSheet(in output: String?) throws -> PrintSheet? {
    guard let sheet else { return nil }
    let asked = try output.flatMap(Self.format(of:))
    if let sheetFormat, let asked, sheetFormat != asked {
      throw ValidationError("--sheet-format and the name after -o ask for different formats: change one of them.")
    }
    return PrintSheet(
      paper: sheet, copies: copies, format: sheetFormat ?? asked, cuttingLines: noCuttingLines ? false : nil)
  }

  /// The format that the name of a sheet asks for; nil for one without an extension.
  private static func format(of path: String) throws -> SheetFormat? {
    let name = OutputName(path)
    if name.format == .jpeg { return .jpeg }
    if name.unmadeFormat == SheetFormat.pdf.rawValue { return .pdf }
    if name.format != nil || name.unmadeFormat != nil {
      throw ValidationError("A sheet is a PDF or a JPEG: name a file that ends in .pdf or .jpg.")
    }
    return nil
  }
}
