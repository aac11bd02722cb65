import AtelierProtocol
import Providers

/// Who makes the pictures, what is sent there, and what that costs.
struct MakerNotice {
  let sentence: String

  /// - Parameters:
  ///   - generations: how many such requests there are.
  ///   - pictures: how many pictures these make together.
  init(_ provider: any ImageProvider, for request: Generate, generations: Int, pictures: Int) {
    let profile = provider.profile
    guard !profile.isLocal else {
      sentence = "\(profile.title): nothing leaves this machine."
      return
    }
    let isFromWords = request.image == nil && request.references == nil
    let sent = isFromWords ? "your words are" : generations == 1 ? "your photo is" : "your photos are"
    sentence = "\(profile.title): \(sent) sent there. \(Self.price(of: pictures, at: profile, for: request))"
  }

  private static func price(of count: Int, at profile: ProviderProfile, for request: Generate) -> String {
    guard let each = profile.usdPerImage else { return "The price there is not known here." }
    if request.model != nil || request.output?.size != nil {
      return "A picture of its default model in the standard size costs about \(Dollars(each)); this may differ."
    }
    return count == 1
      ? "A picture there costs about \(Dollars(each))."
      : "\(count) pictures there cost about \(Dollars(each * Double(count)))."
  }
}

/// An amount of US dollars for a person: thousandths matter for one picture.
struct Dollars: CustomStringConvertible {
  let description: String

  init(_ amount: Double) {
    let thousandths = Int((min(max(amount, 0), 1e12) * 1000).rounded())
    let fraction = String(thousandths % 1000 + 1000).dropFirst()
    description = "$\(thousandths / 1000).\(fraction)"
  }
}
