import AtelierProtocol
import Providers

/// Who makes the pictures or names the places, what is sent there, and what that costs.
struct MakerNotice {
  let sentence: String

  /// - Parameters:
  ///   - generations: how many such requests there are.
  ///   - results: how many pictures these make together.
  init(_ provider: any ImageProvider, for request: Generate, generations: Int, results: Int) {
    let profile = provider.profile
    guard !profile.isLocal else {
      sentence = "\(profile.title): nothing leaves this machine."
      return
    }
    let isFromWords = request.image == nil && request.references == nil
    let sent = isFromWords ? "your words are" : generations == 1 ? "your photo is" : "your photos are"
    let place = profile.isServedHere ? ", served on this machine" : ""
    sentence = "\(profile.title)\(place): \(sent) sent there. \(Self.price(of: results, at: profile, for: request))"
  }

  private static func price(of count: Int, at profile: ProviderProfile, for request: Generate) -> String {
    if request.recipe == .places {
      return "The price depends on the length of the list; the result tells it. The geocoder receives the names of places."
    }
    let isSingle = count == 1
    if let each = profile.usdPerImage(model: request.model, size: request.output?.size) {
      let sum = Dollars(each * Double(count))
      return isSingle ? "A picture there costs about \(sum)." : "\(count) pictures there cost about \(sum)."
    }
    guard let usual = profile.usdPerImage else {
      return isSingle ? "The price there is not known here." : "The price of \(count) pictures there is not known here."
    }
    let sum = Dollars(usual * Double(count))
    return isSingle
      ? "A picture of its default model in the standard size costs about \(sum); this may differ."
      : "\(count) pictures of its default model in the standard size cost about \(sum); these may differ."
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
