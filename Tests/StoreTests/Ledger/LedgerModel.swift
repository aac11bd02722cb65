import AtelierProtocol

@testable import Store

/// What the ledger is to do, in the plainest way: lists in memory, nothing shared with the real one but the names.
struct LedgerModel {
  struct Bucket {
    var source: String
    var kind: CreditKind
    var amount: Int
    var available: Int
    var held = 0
    var spent = 0
    /// What paid debts.
    var paid = 0
    var expires: Int64?
    var created: Int64
    var isRefunded = false
    /// Of a month.
    var month: Month?
    /// The number of the bucket whose expired credits it replaces.
    var replaces: Int?
    /// The order in which they came, over all accounts.
    var number: Int

    /// By an operator, singly or by the month, or what replaced such credits.
    var isGiven: Bool
  }

  struct Month {
    var subscription: Subscription
    var starts: Int64
    var ends: Int64
    var amount = 0
  }

  struct Subscription {
    var source: String
    var product: String
    var credits: Int
    var starts: Int64
    var ends: Int64?
    var isGiven = false
    /// The name that it was given to, whoever has that later.
    var givenTo: AccountID?
  }

  struct Account {
    var tier = Tier.guest
    var buckets: [Bucket] = []
    var subscriptions: [Subscription] = []
    /// What was taken back although it was spent.
    var debts = 0
    /// The account that has all of this now.
    var successor: AccountID?
    /// The name that it had until it was deleted.
    var name: AccountID?

    var available: Int { buckets.reduce(0) { $0 + $1.available } }
    var held: Int { buckets.reduce(0) { $0 + $1.held } }
    var shortfall: Int {
      debts + buckets.reduce(0) { $0 + ($1.isRefunded ? $1.spent + $1.paid : 0) - $1.paid }
    }
  }

  struct Hold {
    var account: AccountID
    var parts: [(bucket: Int, amount: Int)]
    var amount: Int { parts.reduce(0) { $0 + $1.amount } }
  }

  let rules: CreditRules
  var accounts: [AccountID: Account] = [:]
  var holds: [GenerationID: Hold] = [:]
  var identities: [String: AccountID] = [:]
  /// The identities whose accounts were deleted.
  var deletedSubjects: Set<String> = []
  /// The subscriptions that an operator gave them until then, by the identity.
  var givenBefore: [String: Set<String>] = [:]
  /// When the last account of a name was deleted.
  var ends: [AccountID: Int64] = [:]
  var receipts: [String: (account: AccountID?, isRefunded: Bool)] = [:]
  /// What is taken back of payments that have not come, by their keys.
  var refundsAhead: [String: [Int]] = [:]
  /// What was taken back of payments, and as what it was owed before the payment came.
  var refunded: [String: Int] = [:]
  var owedAhead: [String: (account: AccountID, amount: Int)] = [:]
  private var sources: Set<String> = []
  var gifts: [String: Gift] = [:]
  private var givenCount = 0
  var bucketCount = 0
  private var seen: Int64?
  private(set) var now: Int64 = 0
  /// The latest time it may be: later than ``now`` while the clock is in doubt.
  private var latest: Int64 = 0
  /// Whether credits may expire and months may begin.
  private(set) var mayExpireCredits = true
  private var trusted: Int64?
  /// Every time at which the clock was looked at since it is in doubt.
  private var doubted: [Int64] = []

  init(rules: CreditRules) { self.rules = rules }

  /// To be called before each operation.
  mutating func look(at system: Int64) {
    let known = watch(system)
    let isAhead = system - known > 2 * Self.day
    var time = known
    if let seen, seen - known <= 2 * Self.day { time = max(time, seen) }
    now = isAhead ? time : max(time, system)
    latest = max(now, system)
    mayExpireCredits = !isAhead && time - system <= 300_000
  }

  static let day: Int64 = 86_400_000

  mutating func confirmClock(_ system: Int64) {
    trusted = system
    doubted = []
  }

  /// - Returns: the latest time that is known to have been right.
  private mutating func watch(_ system: Int64) -> Int64 {
    let known = trusted ?? system
    doubted.append(system)
    // From the end back to where it jumped last.
    var first = doubted.count - 1
    while first > 0, (-300_000...2 * Self.day).contains(doubted[first] - doubted[first - 1]) { first -= 1 }
    if system - known <= 2 * Self.day || system - doubted[first] >= Self.day { confirmClock(max(known, system)) }
    return trusted ?? known
  }

  mutating func moved() { seen = now }

  @discardableResult
  mutating func give(
    _ kind: CreditKind, _ amount: Int, to account: AccountID, source: String, expires: Int64? = nil, month: Month? = nil,
    replaces: Int? = nil, taking taken: Int = 0
  ) -> Int {
    guard amount > 0, sources.insert(source).inserted else { return 0 }
    bucketCount += 1
    let original = accounts[account]?.buckets.first { $0.number == replaces }
    var bucket = Bucket(
      source: source, kind: kind, amount: amount, available: amount - taken, expires: expires, created: now, month: month,
      replaces: replaces, number: bucketCount,
      isGiven: kind == .operator || month?.subscription.isGiven == true || original?.isGiven == true)
    moved()
    if replaces == nil { pay(with: &bucket, upTo: amount - taken, accounts[account]?.shortfall ?? 0) }
    accounts[account]?.buckets.append(bucket)
    return amount
  }

  func pay(with bucket: inout Bucket, upTo amount: Int, _ owed: Int) {
    let payment = min(owed, amount)
    bucket.available -= payment
    bucket.paid += payment
  }

  mutating func know(_ account: AccountID) {
    guard accounts[account] == nil else { return }
    accounts[account] = Account()
    give(.guest, rules.guestCredits, to: account, source: "guest \(account)")
  }

  mutating func bringUpToDate(_ account: AccountID) {
    guard mayExpireCredits, var known = accounts[account] else { return }
    for index in known.buckets.indices where (known.buckets[index].expires ?? .max) <= now {
      if known.buckets[index].available > 0 { moved() }
      known.buckets[index].available = 0
    }
    accounts[account] = known
    giveMonths(to: account)
  }

  func running(_ account: AccountID) -> [Subscription] {
    (accounts[account]?.subscriptions ?? []).filter {
      $0.starts <= latest && ($0.ends ?? .max) > now && receipts[$0.source]?.isRefunded != true
    }
      .sorted { ($0.starts, $0.source) < ($1.starts, $1.source) }
  }

  /// - Returns: false when it was given before; nil when something else was.
  mutating func gift(_ amount: Int, to account: AccountID, source: String) -> Bool? {
    if let earlier = gifts[source] {
      guard earlier.amount == amount, answers(account, to: earlier.name) else { return nil }
      bringUpToDate(account)
      return false
    }
    know(account)
    bringUpToDate(account)
    gifts[source] = Gift(account: account, amount: amount, name: account)
    if let owed = owedAhead[source], accounts[owed.account] == nil || accounts[owed.account]?.name != nil {
      refundsAhead[source, default: []].append(owed.amount)
    }
    let ahead = refundsAhead.removeValue(forKey: source) ?? []
    let taken = min(amount, ahead.reduce(0, +))
    refunded[source, default: 0] += taken
    give(.operator, amount, to: account, source: "gift \(source)", taking: taken)
    return true
  }

  struct Gift {
    var account: AccountID
    var amount: Int
    /// Under which it is known again.
    var name: AccountID
  }

  /// Whether an account has a name, or one that has become part of it, also before an account of its name was deleted.
  private func answers(_ account: AccountID, to name: AccountID) -> Bool {
    account == name || accounts.contains { member, known in
      guard let successor = known.successor, (known.name ?? member) == name else { return false }
      return (accounts[successor]?.name ?? successor) == account
    }
  }

  /// Sets what an operator decides.
  mutating func set(_ tier: Tier, of account: AccountID, from start: Int64?) {
    guard var known = accounts[account] else { return }
    let given = known.subscriptions.indices.filter { known.subscriptions[$0].isGiven }
    func end(_ index: Int) { known.subscriptions[index].ends = max(known.subscriptions[index].starts, now) }
    guard tier == .premium else {
      for index in given where (known.subscriptions[index].ends ?? .max) > now { end(index) }
      known.tier = tier
      accounts[account] = known
      if tier == .free, !known.buckets.contains(where: { $0.kind == .free }) {
        give(.free, rules.freeCredits, to: account, source: "free account \(account)")
      }
      return
    }
    let start = start ?? now
    for index in given where known.subscriptions[index].ends == nil {
      if known.subscriptions[index].starts <= now || known.subscriptions[index].starts == start { return }
      end(index)
    }
    // A month that was granted goes on.
    func month(at time: Int64) -> Month? {
      givenMonths(of: account).filter { $0.starts <= time && time < $0.ends }
        .min { ($0.subscription.starts, $0.subscription.source) < ($1.subscription.starts, $1.subscription.source) }
    }
    let month = month(at: start) ?? (start <= now ? month(at: now) : nil)
    givenCount += 1
    known.subscriptions.append(
      Subscription(
        source: "given \(1_000_000 + givenCount)", product: "operator", credits: rules.premiumCredits,
        starts: month?.subscription.starts ?? start, isGiven: true, givenTo: account))
    accounts[account] = known
    giveMonths(to: account)
  }

  func order(of account: AccountID) -> [Int] {
    let buckets = accounts[account]?.buckets ?? []
    func rank(_ bucket: Bucket) -> (Int, Int64, Int64, Int) {
      let priority =
        switch bucket.kind {
        case .period, .makegood: 0
        case .guest, .free: 1
        case .bundle, .operator: 2
        }
      return (priority, bucket.expires ?? .max, bucket.created, bucket.number)
    }
    return buckets.indices.sorted { rank(buckets[$0]) < rank(buckets[$1]) }
  }

  /// Takes credits that can be spent, in the order in which they are.
  private mutating func take(_ amount: Int, from account: AccountID) -> [(bucket: Int, amount: Int)]? {
    guard let available = accounts[account]?.available, available >= amount else { return nil }
    var rest = amount
    var parts: [(bucket: Int, amount: Int)] = []
    for index in order(of: account) where rest > 0 {
      let part = min(rest, accounts[account]?.buckets[index].available ?? 0)
      if part == 0 { continue }
      accounts[account]?.buckets[index].available -= part
      accounts[account]?.buckets[index].held += part
      parts.append((index, part))
      rest -= part
    }
    moved()
    return parts
  }

  mutating func hold(_ amount: Int, for generation: GenerationID, of account: AccountID) -> Bool {
    guard accounts[account]?.shortfall == 0, let parts = take(amount, from: account) else { return false }
    holds[generation] = Hold(account: account, parts: parts)
    return true
  }

  mutating func endHold(_ generation: GenerationID, capturing captured: Int) -> Int? {
    guard let hold = holds.removeValue(forKey: generation) else { return nil }
    let taken = min(captured, hold.amount)
    var rest = taken
    for part in hold.parts {
      let spent = min(rest, part.amount)
      let back = part.amount - spent
      rest -= spent
      moved()
      guard var bucket = accounts[hold.account]?.buckets[part.bucket] else { continue }
      bucket.held -= part.amount
      bucket.spent += spent
      let isOver = mayExpireCredits && (bucket.expires ?? .max) <= now
      let owed = accounts[hold.account]?.shortfall ?? 0
      if !bucket.isRefunded && !isOver {
        bucket.available += back
        if bucket.isGiven { pay(with: &bucket, upTo: back, owed) }
      }
      accounts[hold.account]?.buckets[part.bucket] = bucket
      if back > 0, !bucket.isRefunded, isOver {
        give(
          .makegood, back, to: hold.account, source: "makegood \(generation) \(part.bucket)",
          expires: now + rules.makegoodLifetimeMs, replaces: bucket.number)
      }
    }
    return taken
  }

  mutating func record(_ purchase: Purchase) -> PurchaseOutcomeKind {
    if let earlier = receipts[purchase.source] {
      guard let owner = earlier.account else { return .refunded }
      if owner != purchase.account { return accounts[owner]?.name != nil ? .ofDeletedAccount : .ofAnotherAccount }
      if earlier.isRefunded { return .refunded }
      bringUpToDate(purchase.account)
      return .countedBefore
    }
    if let end = ends[purchase.account], purchase.purchasedAt.milliseconds < end { return .ofDeletedAccount }
    know(purchase.account)
    bringUpToDate(purchase.account)
    receipts[purchase.source] = (purchase.account, false)
    switch purchase.kind {
    case .bundle:
      give(
        .bundle, purchase.credits * purchase.quantity, to: purchase.account, source: "bought \(purchase.source)")
    case .subscription:
      accounts[purchase.account]?.subscriptions.append(
        Subscription(
          source: purchase.source, product: purchase.product.rawValue, credits: purchase.credits,
          starts: purchase.purchasedAt.milliseconds,
          ends: (purchase.expiresAt ?? purchase.purchasedAt.adding(months: 1)).milliseconds))
      // Whatever the clock says: it is paid for.
      giveMonths(to: purchase.account)
    }
    return .counted
  }

  mutating func refund(_ source: String) -> Bool {
    guard let receipt = receipts[source] else {
      receipts[source] = (nil, true)
      return false
    }
    if receipt.isRefunded { return false }
    receipts[source]?.isRefunded = true
    guard let owner = receipt.account, var account = accounts[owner] else { return false }
    func takeBack(_ index: Int) {
      if account.buckets[index].available > 0 { isMoved = true }
      account.buckets[index].isRefunded = true
      account.buckets[index].available = 0
    }
    var isMoved = false
    for index in account.subscriptions.indices where account.subscriptions[index].source == source {
      let end = max(account.subscriptions[index].starts, now)
      account.subscriptions[index].ends = min(account.subscriptions[index].ends ?? .max, end)
    }
    for index in account.buckets.indices
    where account.buckets[index].source == "bought \(source)" || account.buckets[index].source.hasPrefix("month \(source) ")
    {
      takeBack(index)
    }
    // What replaced them comes later in the list.
    for index in account.buckets.indices {
      guard let original = account.buckets[index].replaces else { continue }
      if account.buckets.contains(where: { $0.number == original && $0.isRefunded }) { takeBack(index) }
    }
    if isMoved { moved() }
    accounts[owner] = account
    giveMonths(coveredBy: source, to: owner)
    return true
  }
}
