// What is sent and what comes back. Written by generate_types.py; do not edit.
//
// Names are the protocol's. Members that end in `Ms` are whole milliseconds, and times are texts in the form of RFC 3339.
// Enumerations are open: a newer service may send values that are not listed here, and members that are not either.

/** The params and the result of each method. */
export interface Methods {
  "initialize": { params: InitializeParams; result: Initialization };
  "ping": { params: PingParams; result: PingResult };
  "shutdown": { params: ShutdownParams; result: null };
  "rpc.discover": { params: DiscoverParams; result: unknown };
  "generate": { params: GenerateParams; result: GenerationResult };
  "regenerate": { params: RegenerateParams; result: GenerationResult };
  "cancel": { params: CancelParams; result: GenerationResult };
  "status": { params: StatusParams; result: StatusResult };
  "generation/watch": { params: GenerationWatchParams; result: GenerationResult };
  "history": { params: HistoryParams; result: HistoryPage };
  "history/get": { params: HistoryGetParams; result: GenerationResult };
  "history/annotate": { params: HistoryAnnotateParams; result: GenerationResult };
  "history/delete": { params: HistoryDeleteParams; result: Deletion };
  "history/export": { params: HistoryExportParams; result: Export };
  "session/list": { params: SessionListParams; result: SessionPage };
  "session/get": { params: SessionGetParams; result: SessionSteps };
  "feedback/submit": { params: FeedbackSubmitParams; result: KeptFeedback };
  "usage/statistics": { params: UsageStatisticsParams; result: UsageStatistics };
  "image/prepare": { params: ImagePrepareParams; result: PreparedImage };
  "image/read": { params: ImageReadParams; result: ImageContent };
  "image/link": { params: ImageLinkParams; result: ImageLink };
  "styles/list": { params: StylesListParams; result: HeadshotChoices };
  "templates/list": { params: TemplatesListParams; result: TemplatePage };
  "templates/get": { params: TemplatesGetParams; result: Template };
  "providers/list": { params: ProvidersListParams; result: ProvidersListResult };
  "credentials/set": { params: CredentialsSetParams; result: StoredCredential };
  "credentials/status": { params: CredentialsStatusParams; result: CredentialsStatusResult };
  "credentials/delete": { params: CredentialsDeleteParams; result: DeletedCredential };
  "account/get": { params: AccountGetParams; result: Account };
  "account/signIn": { params: AccountSignInParams; result: SignIn };
  "account/signOut": { params: AccountSignOutParams; result: AccountSignOutResult };
  "account/consent": { params: AccountConsentParams; result: AccountConsentResult };
  "account/delete": { params: AccountDeleteParams; result: AccountDeleteResult };
  "account/set": { params: AccountSetParams; result: AccountSetResult };
  "credits/balance": { params: CreditsBalanceParams; result: CreditBalance };
  "credits/history": { params: CreditsHistoryParams; result: CreditHistoryPage };
  "credits/estimate": { params: CreditsEstimateParams; result: Estimate };
  "credits/products": { params: CreditsProductsParams; result: CreditsProductsResult };
  "credits/purchase": { params: CreditsPurchaseParams; result: Purchase };
  "credits/grant": { params: CreditsGrantParams; result: CreditsGrantResult };
  "credits/revoke": { params: CreditsRevokeParams; result: CreditsRevokeResult };
  "queue/status": { params: QueueStatusParams; result: Queue };
  "queue/pause": { params: QueuePauseParams; result: Queue };
  "queue/resume": { params: QueueResumeParams; result: Queue };
}

/** The params of each notification that the service sends. */
export interface Notifications {
  "generation/progress": Progress;
  "generation/finished": GenerationResult;
  "credits/changed": CreditsChangedParams;
  "provider/changed": ProviderChangedParams;
}

/** The details of each kind of error that has some of its own. */
export interface Details {
  "invalid_receipt": InvalidReceiptDetails;
  "insufficient_credits": InsufficientCreditsDetails;
  "rate_limited": LimitDetails;
  "daily_limit": LimitDetails;
  "concurrent_limit": LimitDetails;
}

/** The account and its state. */
export interface Account {
  /** The account that the answer is about. */
  account: AccountID;
  /** The account's tier. */
  tier: Tier | (string & {});
  /** True when no usage limits apply to the account; its credits are counted nevertheless. */
  unlimited: boolean;
  /** When the account was first used; absent for `owner`. */
  createdAt?: Timestamp;
  /** The identity providers with which the person has signed in, such as `apple`. */
  signedInWith: string[];
  /** When the subscription ends unless it is renewed; absent without a subscription. */
  premiumUntil?: Timestamp;
  /**
   * A UUID that stands for the account and never changes. Pass it to the App Store as `appAccountToken`, or to
   * Google Play as the obfuscated account id, so that a purchase names the account.
   */
  appAccountToken: string;
  /** The account's balance. */
  balance: CreditBalance;
  /** The account's usage limits; empty if it has none. */
  limits: Limit[];
  /** When requests are accepted again, if a limit for all recipes is reached and the time is known. */
  cooldownUntil?: Timestamp;
  /** The account's generations that have not ended, oldest first. */
  running: GenerationID[];
  /** The version of the terms of use that the person has accepted last; absent for none. */
  consent?: Consent;
}

/**
 * Records that the person behind an account has accepted a version of the terms of use. The first acceptance of a
 * version counts; repeating it changes nothing. The operator can require consent, with `accounts.requireConsent` in
 * the configuration.
 */
export interface AccountConsentParams {
  /** The account of the person. */
  account: AccountID;
  /** The version of the terms, as the operator names it, such as `2026-11`. */
  version: string;
  /** When the person accepted it; not in the future. Default: now. */
  acceptedAt?: Timestamp;
}

/** What the person has accepted. */
export interface AccountConsentResult {
  /** The account of the person. */
  account: AccountID;
  /** All versions that the person has accepted, in that order. */
  consents: Consent[];
  /** False when this version had been accepted before. */
  isNew: boolean;
}

/**
 * Deletes an account: its history, its pictures, its identities and its consent. Generations that have not ended are
 * cancelled first. The ledger keeps its numbers without the name of the account, and copies that a host asked for
 * stay where they are. Whoever signs in again begins anew, without the credits that are granted only once.
 * Idempotent: of an account that is not there, nothing is deleted.
 */
export interface AccountDeleteParams {
  /** The account to delete, together with those that were merged into it. */
  account: AccountID;
}

/** What was deleted. */
export interface AccountDeleteResult {
  /** The account that was deleted. */
  account: AccountID;
  /** The number of deleted generations. */
  deleted: number;
  /** The size of the deleted files, in bytes. */
  bytesFreed: number;
}

/** Returns an account's tier, balance, usage limits and running generations. */
export interface AccountGetParams {
  /** The account. Default: the connection's account, otherwise `owner`. */
  account?: AccountID;
}

/**
 * The id of an account: `owner`, the machine's own account, or any other string of the host's choice, except `*` and
 * what begins with `deleted:`, which stands for deleted accounts.
 */
export type AccountID = string;

/**
 * Sets an account's tier, or lifts its limits, for example for a subscription that the host sells. Only on a trusted
 * connection, as `credits/grant`. `premium` grants a month's credits at its start and each month from then on. A
 * month belongs to a payment: `premium` that begins again within a month that was granted continues the months and
 * grants nothing for this one. A purchased subscription continues whatever is set.
 */
export interface AccountSetParams {
  /** The account to change. One that was never used exists from here on. */
  account: AccountID;
  /** The tier: `guest`, `free` or `premium`. Default: unchanged. */
  tier?: Tier;
  /** True lifts the usage limits; credits are needed nevertheless. Default: unchanged. */
  unlimited?: boolean;
  /** When the period of `premium` that was paid for began, or will begin. Default: now. */
  start?: Timestamp;
  /**
   * False: an account that was never used exists from here on without the credits of a guest, and is not given them
   * later. It changes nothing of an account that was used. Default: true.
   */
  welcome?: boolean;
  /**
   * Identifies this change, for all accounts: the same key never changes anything twice, and with other params it is
   * refused. Use the id of the event that reports the change.
   */
  idempotencyKey?: string;
}

/** The account after the change. */
export interface AccountSetResult {
  /** The account that was changed. */
  account: AccountID;
  /** The account's tier now. */
  tier: Tier | (string & {});
  /** Credits granted by this request. */
  granted: number;
  /** Why these are fewer credits than the tier gives; absent if they are not. */
  reason?: ReducedGrant | (string & {});
  /** True when the same change had been made before: nothing was changed now. */
  alreadySet: boolean;
  /** The account's balance. */
  balance: CreditBalance;
  /** The account's usage limits from here on; empty if it has none. */
  limits: Limit[];
}

/**
 * Signs in the person behind an account, whose identity the host has verified or an identity token proves. When an
 * identity is new, its account becomes `free` and is granted the credits of that tier, once only; the credits that a
 * guest has left remain. When the identity already belongs to an account, the answer names that account, and a
 * guest's account is merged into it: with its history, with what it paid for, and with the credits that are left.
 * Idempotent.
 */
export interface AccountSignInParams {
  /** The account that the person has used so far. Generations of a guest that is merged must have ended. */
  account: AccountID;
  /**
   * The identity of the person, which the host has verified; this or `identityToken`. A service that was started
   * with `--account` takes a token only.
   */
  identity?: Identity;
  /**
   * An OpenID Connect identity token (a signed JWT) of an issuer in the configuration. The service verifies it; its
   * issuer becomes the `provider` of the identity, its `sub` the `subject`.
   */
  identityToken?: string;
  /** The nonce that the host sent with the sign-in: the token must contain it. */
  nonce?: string;
  /**
   * True: an account that has other identities is merged as well, because both are the same person's. Default:
   * false, and such an account stays as it is.
   */
  link?: boolean;
}

/**
 * Ends a person's use of an account on this device: returns the account of a new guest to continue with. The account
 * stays as it is, and signing in finds it again. A connection that is confined to an account is refused: it ends,
 * and another one acts for the guest.
 */
export interface AccountSignOutParams {
  /** The account that the person has used. */
  account: AccountID;
}

/** The account to continue with. */
export interface AccountSignOutResult {
  /** The account of a new guest. It exists from its first use. */
  account: AccountID;
}

/**
 * The direction in which the person looks in a headshot: from −1, the far left, through 0, the front, to 1, the far
 * right. Left and right are the viewer's. The three usual angles also have names.
 */
export type Angle = number | "left" | "front" | "right";

/** The shape of a picture, as width:height. The values that are listed are those of this machine. */
export type AspectRatio = "1:1" | "4:5" | "3:4" | "2:3" | (string & {});

/**
 * The background of a headshot. A flat background, which is `white`, `transparent` or a colour, is the same
 * everywhere.
 */
export type Background = "auto" | "professional" | "casual" | "white" | "transparent" | "keep" | (string & {});

/** One background and its texts for people. */
export interface BackgroundOption {
  /** The background, for `style` as `background`; `#rrggbb` stands for every colour. */
  id: string;
  /** A short title, for a button. */
  title: string;
  /** One sentence that describes the background. */
  description: string;
  /** The providers that can make it. */
  providers: ProviderID[];
}

/**
 * Whether an identical earlier result may be reused.
 *
 * - `use`: An identical earlier result is reused, at no cost.
 * - `bypass`: New pictures are always made.
 */
export type CachePolicy = "use" | "bypass";

/**
 * Cancels a generation that has not ended, whichever process works on it. Idempotent: cancelling a cancelled
 * generation gives the same answer. A generation that has ended in another way is refused with `already_finished`.
 */
export interface CancelParams {
  /**
   * The account that the generation must belong to. Default: the connection's account; otherwise any for a
   * `generationId` and `owner` for an `idempotencyKey`.
   */
  account?: AccountID;
  /** The id of the generation; either this or `idempotencyKey`. */
  generationId?: GenerationID;
  /** The key of the request that started the generation; either this or `generationId`. */
  idempotencyKey?: string;
}

/** Why the machine's clock is not trusted. */
export interface ClockDoubt {
  /** The time that the clock shows. */
  now: Timestamp;
  /** The latest trusted time on record. */
  latest: Timestamp;
  /** What is wrong, what follows from it, and what an operator can do. */
  message: string;
}

/** A version of the terms of use that a person has accepted. */
export interface Consent {
  /** The version, as the operator names it. */
  version: string;
  /** When the person accepted it. */
  acceptedAt: Timestamp;
}

/** A position on the globe, in degrees (WGS 84). */
export interface Coordinate {
  /** Degrees north of the equator. */
  latitude: number;
  /** Degrees east of Greenwich. */
  longitude: number;
}

/** A position on the globe, in degrees (WGS 84). */
export interface CoordinateInResult {
  /** Degrees north of the equator. */
  latitude: number;
  /** Degrees east of Greenwich. */
  longitude: number;
}

/** Numbers of generations of this process, by how they ended; members may be added. */
export interface Counters {
  /** Accepted. */
  accepted: number;
  /** Ended with every picture. */
  succeeded: number;
  /** Ended with some of the pictures. */
  partial: number;
  /** Ended with an error. */
  failed: number;
  /** Cancelled. */
  cancelled: number;
  /** Answered with an identical earlier result. */
  cached: number;
}

/**
 * Where an API key comes from, in order of precedence.
 *
 * - `environment`: An environment variable of the service.
 * - `secret_service`: The desktop's keyring.
 * - `file`: A file in the data directory that only its owner can read.
 */
export type CredentialSource = "environment" | "secret_service" | "file";

/** One provider and its key. */
export interface CredentialStatus {
  /** The provider. */
  provider: ProviderID;
  /** True when the provider has a key that can be used. */
  configured: boolean;
  /** Where the key comes from. */
  source?: CredentialSource | (string & {});
  /** The last characters of the key, to recognise it by. */
  masked?: string;
  /** The variable that the key comes from, if `source` is `environment`. */
  environmentVariable?: string;
  /** The variables that can provide a key; the first one that holds a key is used. */
  environmentVariables: string[];
  /** Why a key that was given cannot be used and what to do about it, as a sentence for the person. */
  reason?: string;
  /** A remark to show to the person, for example about a variable that is passed over because it holds a placeholder. */
  note?: string;
}

/**
 * Deletes a provider's API key from the keyring and from the file. Idempotent. A key in an environment variable
 * cannot be deleted; the answer names the variable. A connection that is confined to an account is refused.
 */
export interface CredentialsDeleteParams {
  /** The provider whose key is to be deleted. */
  provider: ProviderID;
}

/**
 * Stores a provider's API key in the desktop's keyring or, without a keyring, in a file that only its owner can
 * read. The key replaces the one stored before. It is never returned, logged or written to the database. A
 * connection that is confined to an account is refused.
 */
export interface CredentialsSetParams {
  /** The provider that the key is for. */
  provider: ProviderID;
  /** The key, as the provider issued it. */
  key: string;
}

/**
 * Reports which providers have an API key, and where each key comes from. The keys themselves are not returned. A
 * connection that is confined to an account is refused.
 */
export interface CredentialsStatusParams {
}

/** The keys of the providers. */
export interface CredentialsStatusResult {
  /** Every provider that takes a key, whether it has one or not. */
  providers: CredentialStatus[];
}

/** An account's credits, and where they come from. */
export interface CreditBalance {
  /** The account that the balance belongs to. */
  account: AccountID;
  /**
   * True when the account needs credits; false for `owner`, and for every account if the operator has turned
   * metering off.
   */
  metered: boolean;
  /** The account's tier. */
  tier: Tier | (string & {});
  /** True when no usage limits apply to the account; its credits are counted nevertheless. */
  unlimited: boolean;
  /** Credits that can be spent; null for an account that is not metered. */
  available: number | null;
  /** Credits held for generations that have not ended. */
  held: number;
  /** Credits of the allocation that `level` refers to, as they were granted; null if there is no allocation. */
  allocation: number | null;
  /** How much of the allocation is left, to show to the person; absent if there is no allocation. */
  level?: CreditBalanceLevel | (string & {});
  /**
   * The grants that the credits come from, in the order in which they are spent; without those that are used up or
   * expired.
   */
  buckets: CreditBucket[];
  /** When the allocation of the next period is granted; absent if there is none. */
  resetAt?: Timestamp;
  /**
   * Credits owed because a payment was refunded whose credits were already spent. Until they are repaid, requests
   * that cost credits are refused.
   */
  shortfall: number;
}

/**
 * How much of the allocation is left.
 *
 * - `green`: More than 50 %.
 * - `yellow`: 20 % to 50 %.
 * - `red`: Less than 20 %.
 */
export type CreditBalanceLevel = "green" | "yellow" | "red";

/** A grant: credits that were given together and expire together. */
export interface CreditBucket {
  /** The id of the grant. */
  id: string;
  /** Where the credits come from. */
  kind: CreditKind | (string & {});
  /** The number of credits granted. */
  amount: number;
  /** Credits of the grant that can be spent. */
  available: number;
  /** Credits of the grant that are held for generations that have not ended. */
  held: number;
  /** When the credits were granted. */
  createdAt: Timestamp;
  /** When the remaining credits expire; absent if they never do. */
  expiresAt?: Timestamp;
}

/** One change of an account's credits. */
export interface CreditEntry {
  /** The id of the entry. */
  id: string;
  /** When the credits changed. */
  date: Timestamp;
  /** Why the credits changed. */
  kind: CreditsHistoryEntryKind | (string & {});
  /** The change of the balance: negative if credits were taken. */
  amount: number;
  /** The balance after the change; null for an account that is not metered. */
  balanceAfter: number | null;
  /** The generation that the credits were spent on. */
  generationId?: GenerationID;
  /** The recipe of the generation. */
  recipe?: Recipe | (string & {});
  /** The beginning of the generation's prompt; absent if there was none or the generation is private. */
  prompt?: string;
  /** Where the credits came from; absent if they came from several buckets. */
  bucket?: CreditKind | (string & {});
  /** The reason in words, for example the one given by the operator. */
  reason?: string;
}

/** One page of entries, and sums over all entries. */
export interface CreditHistoryPage {
  /** The entries, newest first. */
  entries: CreditEntry[];
  /** The cursor of the next page; absent on the last page. */
  nextCursor?: string;
  /** All credits that the account has spent so far. */
  totalUsed: number;
  /** The period of the current allocation. */
  currentPeriod: CreditPeriod;
}

/**
 * Where credits come from.
 *
 * - `guest`: Granted to a new guest; never expires.
 * - `free`: Granted when the person first signs in; never expires.
 * - `period`: Granted for a month of a subscription; expires when the next month begins.
 * - `bundle`: Bought as a bundle; never expires.
 * - `makegood`: Returned after the grant that they came from had expired; valid for a few days.
 * - `operator`: Granted by the operator of the service.
 */
export type CreditKind = "guest" | "free" | "period" | "bundle" | "makegood" | "operator";

/** The period of the current allocation. */
export interface CreditPeriod {
  /** When the period began; absent for an allocation that is given once. */
  starts?: Timestamp;
  /** When the next period begins; absent if there is none. */
  ends?: Timestamp;
  /** Credits spent in the period, from any bucket. */
  used: number;
}

/** Credits that can be bought. The operator configures the products. */
export interface CreditProduct {
  /** The service's id of the product. */
  id: ProductID;
  /** How the product is sold. */
  kind: CreditProductKind | (string & {});
  /** A short title, for a button. */
  title: string;
  /** The credits of the product; of a subscription, for each period. */
  credits: number;
  /** The price; of a subscription, for each period. */
  price: Price;
  /** The period of a subscription; absent for a bundle. */
  period?: CreditProductPeriod | (string & {});
  /** Where the product is sold. */
  platforms: ProductPlatforms;
}

/**
 * How a product is sold.
 *
 * - `subscription`: Credits for every period. What is left at the end of a period expires.
 * - `bundle`: Credits granted once, which never expire.
 */
export type CreditProductKind = "subscription" | "bundle";

/**
 * After how long a subscription is renewed.
 *
 * - `month`: A calendar month.
 */
export type CreditProductPeriod = "month";

/** What a generation did to the credits of its account. */
export interface Credits {
  /** Credits held when the generation was accepted. */
  held: number;
  /** Credits charged for the delivered pictures. */
  charged: number;
  /** Credits released: held, but not charged. */
  released: number;
  /** The credits available after the end; null if no credits were held, as for an account that is not metered. */
  balanceAfter: number | null;
}

/** Returns an account's balance: the credits it can spend, and where they come from. */
export interface CreditsBalanceParams {
  /** The account. Default: the connection's account, otherwise `owner`. */
  account?: AccountID;
}

/** The available or held credits of a metered account have changed. */
export interface CreditsChangedParams {
  /** The account whose credits have changed. */
  account: AccountID;
  /** Credits that can be spent. */
  available: number;
  /** Credits held for generations that have not ended. */
  held: number;
}

/**
 * Returns what a `generate` or `regenerate` with these params would cost, and whether it would be accepted now.
 * Nothing is made, and no credits are held.
 */
export type CreditsEstimateParams = GenerateParams | { regenerate: RegenerateParams };

/**
 * Grants an account credits that never expire, for example for a payment that the host has taken. Only on a trusted
 * connection: the operator starts the service with `--trusted`, and the host names no account in `initialize`. When
 * the answer arrives, the credits are durable. An account that was never used exists from here on.
 */
export interface CreditsGrantParams {
  /** The account that gets the credits. */
  account: AccountID;
  /** The number of credits. */
  amount: number;
  /** The reason, shown in the account's history. */
  reason: string;
  /**
   * Identifies this grant, for all accounts: the same key never grants twice, and with other params it is refused.
   * Use the id of the payment.
   */
  idempotencyKey: string;
}

/** What was granted. */
export interface CreditsGrantResult {
  /** The account that has the credits. */
  account: AccountID;
  /** Credits granted by this request; 0 if they had been granted before. */
  granted: number;
  /** True when the same grant had been made before. */
  alreadyGranted: boolean;
  /** True when the account was never used before this request: it has a guest's credits as well. */
  isNewAccount: boolean;
  /** The account's balance. */
  balance: CreditBalance;
  /** The account's usage limits from here on; empty if it has none. Those of guests end with the first grant. */
  limits: Limit[];
}

/**
 * Why credits changed.
 *
 * - `use`: They were spent on a generation.
 * - `grant`: They were granted.
 * - `expiry`: They expired before they were spent.
 * - `revocation`: They were taken back, because a shop revoked the purchase or an operator revoked the grant; or
 * they are given once to each person, and the person has had them with another account.
 */
export type CreditsHistoryEntryKind = "use" | "grant" | "expiry" | "revocation";

/**
 * Lists the changes of an account's credits, newest first, in pages. A cursor stays valid when entries are added.
 * Entries remain when their generations are deleted.
 */
export interface CreditsHistoryParams {
  /** The account. Default: the connection's account, otherwise `owner`. */
  account?: AccountID;
  /** The maximum number of entries in the page. Default 20. */
  limit?: number;
  /** The `nextCursor` of the previous page. Default: the first page. */
  cursor?: string;
}

/** Lists the products that give credits. */
export interface CreditsProductsParams {
}

/** The products for sale. */
export interface CreditsProductsResult {
  /** The products, in the order in which to show them; empty if nothing is for sale. */
  products: CreditProduct[];
}

/**
 * Verifies the shop's signature of a purchase and grants its credits. When the answer arrives, the credits are
 * durable: finish the shop's transaction only then. To restore a purchase, send it again; nothing is granted twice.
 */
export interface CreditsPurchaseParams {
  /** The account that made the purchase. Default: the connection's account. */
  account?: AccountID;
  /** The shop that the purchase comes from. */
  platform: PurchasePlatform;
  /** With `apple`: the signed transaction (JWS), as StoreKit returns it. */
  signedTransaction?: string;
  /** With `google`: the JSON of the purchase, byte for byte as Play Billing returns it. */
  purchaseData?: string;
  /** With `google`: the signature of `purchaseData`, in base64. */
  signature?: string;
}

/**
 * Takes back credits of an account, for example for a payment that was refunded. Only on a trusted connection, as
 * `credits/grant`. The credits of the grant with the same key are taken first, then others that were granted with
 * `credits/grant`, then bought ones. If there are fewer, the rest is owed, or nothing is taken: see `owe`. A payment
 * that is refunded is named with `payment`, whole or in part. All its refunds together take no more than it brought.
 * A refund that is reported before its payment waits for it: nothing is taken until then, and the account need not
 * exist. If the account was deleted with the payment, what is left there is taken, and nobody owes the rest.
 */
export interface CreditsRevokeParams {
  /** The account that loses the credits. */
  account: AccountID;
  /** The number of credits; of a payment that is refunded in part, this part. */
  amount: number;
  /**
   * The reason. The account's history shows it with credits that are taken back, not with those that pay what is
   * owed.
   */
  reason: string;
  /**
   * Identifies this revocation, for all accounts: the same key never takes twice, and with other params it is
   * refused. It may be the key of the grant.
   */
  idempotencyKey: string;
  /**
   * The payment that is refunded: the `idempotencyKey` of its grant, which may be still to come. Each part of a
   * payment that is refunded in parts needs an `idempotencyKey` of its own. Default: the grant with this
   * revocation's `idempotencyKey`, if there is one to the account of at least as many credits.
   */
  payment?: string;
  /**
   * What happens if fewer credits are available: true takes these and records the rest as owed, in the balance's
   * `shortfall`; false takes nothing and refuses with `insufficient_credits`. Default: true if a payment is
   * refunded; otherwise false. With true and without a payment, a revocation of an account that was never used waits
   * for the grant with its `idempotencyKey`.
   */
  owe?: boolean;
}

/** What was taken back. */
export interface CreditsRevokeResult {
  /** The account that the credits were taken from. */
  account: AccountID;
  /** Credits taken back by this request; 0 if they had been taken back before. */
  revoked: number;
  /** Credits that this request recorded as owed, because they were not available. */
  owed: number;
  /** True when the same revocation had been made before. */
  alreadyRevoked: boolean;
  /** True while it waits for its payment, and has taken nothing. */
  waiting: boolean;
  /** Credits that this revocation took back or recorded as owed when it was made before; absent if it was not. */
  revokedBefore?: number;
  /** The account's balance. */
  balance: CreditBalance;
}

/** What was deleted. */
export interface DeletedCredential {
  /** The provider named in the request. */
  provider: ProviderID;
  /** True when there was a key to delete. */
  deleted: boolean;
  /** The environment variable that still provides a key, if there is one. */
  environmentVariable?: string;
  /** A remark to show to the person, for example about the keyring. */
  note?: string;
}

/** What was deleted. */
export interface Deletion {
  /** The number of deleted generations. */
  deleted: number;
  /** The size of the deleted files, in bytes. */
  bytesFreed: number;
  /** Generations that were accepted meanwhile and are not deleted; absent if there are none. */
  stillRunning?: GenerationID[];
}

/** Returns the OpenRPC document of the service. */
export interface DiscoverParams {
}

/** The places that a model named and no lookup confirmed. */
export interface DroppedPlaces {
  /** How many places were left out of the result. */
  count: number;
  /** Their names, as the model wrote them; at most 50. Empty in the record of a private generation. */
  names: string[];
}

/** An error of the service, as it is sent: as the `error` of an answer or of a generation. */
export interface ErrorBody {
  /** A code with the meaning of the same HTTP status; `data.kind` is more exact. */
  code: number;
  /**
   * What is wrong and what the person in front of the screen can do about it, in one or two sentences, in the
   * language that `initialize` chose.
   */
  message: string;
  /** What programs decide by. */
  data: ErrorBodyData;
}

/** The facts of an error, for programs. */
export interface ErrorBodyData {
  /** The stable name of the error; more may be added. */
  kind: string;
  /** True when the same request may succeed later, unchanged. */
  retryable: boolean;
  /** Milliseconds to wait before a retry; only if `retryable` is true and the time is known. */
  retryAfterMs?: number;
  /** The generation that the error is about. */
  generationId?: GenerationID;
  /** The provider that the error is about. */
  provider?: ProviderID;
  /** The id of the request that the error answers, as it was sent. */
  requestId?: unknown;
  /** When the error occurred. */
  timestamp: Timestamp;
  /**
   * Facts that depend on the kind, such as `bytes` and `maxBytes`; may be empty. Every kind may have a `hint`: what
   * whoever runs the service can do, in English. It may name commands and settings, but no paths of the service and
   * no secrets, so confined connections are told it as well.
   */
  details: Record<string, unknown>;
}

/** The estimate. */
export interface Estimate {
  /** Credits that would be held, and charged if every picture is delivered. */
  cost: number;
  /** The number of pictures that would be made. */
  images: number;
  /** The provider that would be asked first. */
  provider: ProviderID;
  /** The account's balance. */
  balance: CreditBalance;
  /** True when the request would be accepted now. */
  allowed: boolean;
  /** The error with which the request would be refused now; absent if it is allowed. */
  refusal?: ErrorBody;
}

/** What was written. */
export interface Export {
  /** The path of the file of records. */
  path: string;
  /** The number of generations in the file, or of places with `geojson` and `csv`. */
  entries: number;
  /** The number of exported pictures and thumbnails. */
  files: number;
  /**
   * The path of a file with what is kept of the account itself: how its person signs in, and the versions of the
   * terms of use that were accepted. Absent for `owner`, for all accounts together, and with `geojson` and `csv`.
   */
  accountPath?: string;
}

/** A picture that could not be made, although others could. */
export interface Failure {
  /** The position among the requested pictures, from 0. */
  index: number;
  /** In a multi-angle generation: `front`, `left`, `right` or `back`. */
  view?: string;
  /** Why the picture could not be made. */
  error: ErrorBody;
}

/** A person's opinion of a result. */
export interface Feedback {
  /** From 1 (bad) to 5 (good). */
  rating: number;
  /** The opinion in the person's own words. */
  text?: string;
}

/**
 * Stores a person's opinion of a generation that has ended. It stays on this machine, replaces the earlier feedback
 * on the generation, and is deleted with the generation. Of a private generation only the rating is stored.
 */
export interface FeedbackSubmitParams {
  /** The generation; it must have ended. */
  generationId: GenerationID;
  /** From 1 (bad) to 5 (good). */
  rating: number;
  /** The opinion in the person's own words. */
  text?: string;
  /** The account that the generation must belong to. Default: the connection's account, otherwise any. */
  account?: AccountID;
}

/** A place as a lookup describes it. */
export interface FoundPlace {
  /** The name of the place. */
  name: string;
  /** Street and number. */
  streetAddress1?: string;
  /** A second line of the address, such as a floor. */
  streetAddress2?: string;
  /** Town or city. */
  city?: string;
  /** State, province or region. */
  state?: string;
  /** The postal code. */
  postalCode?: string;
  /** The country's name. */
  country?: string;
  /** The position. A place with neither a position nor a city, street or postal code verifies nothing. */
  coordinate?: Coordinate;
}

/**
 * Which pictures to make.
 *
 * - `single`: One picture, or several variations of it.
 * - `multiAngle`: Four pictures: front, left profile, right profile and back.
 */
export type GenerateOutputMode = "single" | "multiAngle";

/**
 * Makes pictures. The answer comes when the generation has ended or, with `detach`, when the request is durably
 * accepted. Params that do not belong to the recipe are refused.
 */
export interface GenerateParams {
  /** The kind of picture to make. */
  recipe: Recipe;
  /** The photo, or the result to refine; for `headshot`, `hairstyle` and `edit`. */
  image?: ImageSource;
  /** Reference pictures, in addition to the photo. */
  references?: ImageSource[];
  /** What to make, in words of any language. */
  prompt?: string;
  /** The look of a headshot. Default: the background `auto`, with no angle named. */
  style?: Style;
  /**
   * Where the places should be: a position, which then must be within 100 km of each, or an area in words; for
   * `places`.
   */
  near?: SearchArea;
  /** How many places to find at most; for `places`. Default 10. */
  limit?: number;
  /** The language for the names of places (BCP 47); for `places`. Default: the language of the prompt. */
  language?: string;
  /** A template of the hairstyle library; for `hairstyle`. */
  templateId?: string;
  /** How many pictures to make, and where to put them. */
  output?: Output;
  /**
   * The provider, or several in the order in which to try them. Default: a provider on this machine if it can make
   * the recipe, otherwise the first one that can make it and has its key; the operator may configure another order.
   */
  provider?: ProviderChoice;
  /** One of the provider's models. Default: the provider's default model. */
  model?: string;
  /** How much the model may vary the result; not for `headshot`, where it is fixed. */
  temperature?: number;
  /** Makes the result repeatable, if the provider supports it. */
  seed?: number;
  /**
   * The time limit from the start of the work, in milliseconds. Default 60000, for `places` 120000, and 600000 where
   * a server on this machine is asked first.
   */
  timeoutMs?: number;
  /** The account that the generation belongs to. Default: the connection's account, otherwise `owner`. */
  account?: AccountID;
  /**
   * Makes it safe to send a request again: the same key with the same params gives the same generation. Unique
   * within an account.
   */
  idempotencyKey?: string;
  /** Whether an identical earlier result may be reused. Default `use`. */
  cache?: CachePolicy;
  /** What to do while the provider cannot be reached. Default `fail`. */
  whenOffline?: OfflinePolicy;
  /** With `whenOffline` `queue`, the longest wait for the provider, in milliseconds. Default: a day. */
  waitMs?: number;
  /**
   * true: neither prompt nor pictures are kept, and the pictures are returned inline or in the output directory.
   * They are written nowhere else, not even for a moment. Default false.
   */
  private?: boolean;
  /**
   * true: the answer comes once the request is durably accepted, `generation/finished` reports the end, and the
   * generation outlives the connection. Default false.
   */
  detach?: boolean;
  /** Whether to send `generation/progress`. Default true. */
  progress?: boolean;
  /** Any data of the host, kept with the generation; at most 4096 bytes as JSON. */
  metadata?: Record<string, unknown>;
}

/** The id of a generation. */
export type GenerationID = string;

/** The progress of a generation that has not ended. */
export interface GenerationProgress {
  /** The `sequence` of the latest progress notification. */
  sequence: number;
  /** The current phase. */
  phase: Phase | (string & {});
  /** What the generation is doing, as a sentence for the person. */
  message: string;
  /** The part of the phase that is done, from 0 to 1 with at most three decimals; absent if unknown. */
  fraction?: number;
  /**
   * The part of the generation that is done, from 0 to 1 with at most three decimals. It decreases only when the
   * generation returns to the phase `queued`.
   */
  overall: number;
  /** The position among the waiting generations: 1 starts next. Absent if the generation is not waiting. */
  queuePosition?: number;
  /**
   * Estimated milliseconds until the end, based on the duration of earlier generations; absent if there is no
   * estimate.
   */
  etaMs?: number;
}

/** A generation: the request, its state and its result. It is the same object wherever a generation appears. */
export interface GenerationResult {
  /** The id of the generation. */
  generationId: GenerationID;
  /** The state of the generation. */
  state: State | (string & {});
  /** The kind of picture. */
  recipe: Recipe | (string & {});
  /** The account that the generation belongs to. */
  account: AccountID;
  /** When the generation was accepted. */
  createdAt: Timestamp;
  /** When the work began. */
  startedAt?: Timestamp;
  /** When the generation ended. */
  finishedAt?: Timestamp;
  /** The progress; absent once the generation has ended. */
  progress?: GenerationProgress;
  /** The prompt; absent for a private generation. */
  prompt?: string;
  /** The look of a headshot. */
  style?: Style;
  /** The template of the hairstyle library. */
  templateId?: string;
  /** The provider that made the pictures or is to make them. */
  provider?: ProviderID;
  /** The model that made the pictures or is to make them. */
  model?: string;
  /** True when an identical earlier result was reused, at no cost. */
  cached: boolean;
  /**
   * The pictures, by index; empty if there are none yet. A generation that failed because its pictures could not be
   * stored has them with their `data` in the answer, which is all that there is of them: save them then.
   */
  images: ResultImage[];
  /** The path of a small picture for lists, which is made shortly after the end. */
  thumbnail?: string;
  /** Text that the provider returned with the pictures. */
  text?: string;
  /** The places that a `places` request found. */
  places?: Place[];
  /** What the model named and no lookup confirmed; of a `places` request that has ended. */
  dropped?: DroppedPlaces;
  /** What the person should know about the result. */
  warnings: GenerationWarning[];
  /** The pictures of a partial result that could not be made. */
  failures: Failure[];
  /** Why the generation failed, was interrupted or expired. */
  error?: ErrorBody;
  /** What the generation did to the credits of its account. */
  credits: Credits;
  /** What the provider counted and charged. */
  usage: Usage;
  /** How long each phase took. */
  timings: Timings;
  /** The generation that this one refines or makes again. */
  parentGenerationId?: GenerationID;
  /** The generation that `regenerate` made again. */
  originalGenerationId?: GenerationID;
  /** True when neither prompt nor pictures are kept; absent otherwise. */
  private?: boolean;
  /** True when it is marked as a favorite; absent otherwise. */
  favorite?: boolean;
  /** The person's opinion, as stored by `feedback/submit`. */
  feedback?: Feedback;
  /** The host's data, from the request or from `history/annotate`. */
  metadata?: Record<string, unknown>;
}

/** Something that a person should know about a result. */
export interface GenerationWarning {
  /** The stable name of the warning, such as `low_resolution`, `several_faces` or `tight_crop`; more may be added. */
  kind: string;
  /** What the person should know and can do, in one or two sentences. */
  message: string;
}

/**
 * Waits for the end of a generation, whichever process works on it, and answers with the generation as it ended.
 * `generation/progress` comes at once with the present state, and then as for the request that started the
 * generation, with the id of this request. A generation that has ended is answered at once. Any number of requests
 * may watch the same generation. Cancelling this request ends the watch and leaves the generation alone.
 */
export interface GenerationWatchParams {
  /** The generation to watch. */
  generationId: GenerationID;
  /** Whether to send `generation/progress`. Default true. */
  progress?: boolean;
  /** The account that the generation must belong to. Default: the connection's account, otherwise any. */
  account?: AccountID;
}

/**
 * From where to where a length in a photo for a passport may be: `26-30`, in millimetres unless a unit follows
 * (`1-1.375in`), or in percent of the photo's height (`70-80%`). A single number such as `30` allows no other.
 */
export type HeadHeight = string;

/** The six styles with a name, which are three angles, each with two backgrounds; and what else may be chosen. */
export interface HeadshotChoices {
  /** The professional styles first, then the casual ones; both from left to right. */
  styles: StyleOption[];
  /** The backgrounds, each of which goes with every angle. */
  backgrounds: BackgroundOption[];
  /**
   * What a headshot made on this machine can be; absent if no provider here makes it so. The providers elsewhere
   * have formats of their own.
   */
  output?: OutputChoices;
}

/** Sets the metadata and the favorite mark of a generation that has ended. The answer is the changed generation. */
export interface HistoryAnnotateParams {
  /** The generation; it must have ended. */
  generationId: GenerationID;
  /** Any data of the host, in place of all earlier metadata; at most 4096 bytes as JSON. Default: unchanged. */
  metadata?: Record<string, unknown>;
  /** Whether the generation is a favorite; `history` can list favorites only. Default: unchanged. */
  favorite?: boolean;
  /** The account that the generation must belong to. Default: the connection's account, otherwise any. */
  account?: AccountID;
}

/**
 * Deletes one generation, or all generations of an account, with their files. Generations that have not ended are
 * cancelled first. `credits/history` keeps its entries.
 */
export interface HistoryDeleteParams {
  /** The generation to delete; this, or `account` with `all`. */
  generationId?: GenerationID;
  /** The account that the generation must belong to, or whose generations are deleted; required with `all`. */
  account?: AccountID;
  /** true: delete all generations of `account`. */
  all?: boolean;
}

/**
 * The format of the file of records.
 *
 * - `jsonl`: One generation per line, newest first, as an entry of `history`.
 * - `geojson`: Only places: a `FeatureCollection` (RFC 7946) with a feature for each, newest first. No pictures are
 * exported.
 * - `csv`: Only places: a row for each, newest first, under a row of names (RFC 4180). No pictures are exported.
 */
export type HistoryExportFormat = "jsonl" | "geojson" | "csv";

/**
 * Writes generations and their pictures into a folder of the host. A repeated call continues the export: pictures
 * that are already there are not written again, and a new file of records replaces the old one when it is complete.
 * Files that do not belong to an export are never overwritten.
 */
export interface HistoryExportParams {
  /** An existing folder. */
  directory: string;
  /** The account, or `*` for all accounts. Default: the connection's account, otherwise `owner`. */
  account?: AccountID;
  /** The format of the file of records. Default: `jsonl`. */
  format?: HistoryExportFormat;
}

/** Returns one generation. */
export interface HistoryGetParams {
  /** The generation. */
  generationId: GenerationID;
  /** The account that the generation must belong to. Default: the connection's account, otherwise any. */
  account?: AccountID;
}

/** One page of generations, and sums over all that match. */
export interface HistoryPage {
  /** The generations, newest first. */
  entries: GenerationResult[];
  /** The cursor of the next page; absent on the last page. */
  nextCursor?: string;
  /** Sums over all generations that match, not only those of this page. */
  totals: HistoryTotals;
  /** The current calendar month in UTC, such as `2026-11`. */
  currentPeriod: string;
}

/**
 * Lists generations, newest first, in pages. A cursor stays valid when generations are added or deleted. A page may
 * be shorter than its limit, so that its line stays under 60 KiB.
 */
export interface HistoryParams {
  /** The account, or `*` for all accounts. Default: the connection's account, otherwise `owner`. */
  account?: AccountID;
  /** The maximum number of entries in the page. Default 20. */
  limit?: number;
  /** The `nextCursor` of the previous page. Default: the first page. */
  cursor?: string;
  /** Only generations of this recipe. */
  recipe?: Recipe;
  /** Only generations in this state. */
  state?: State;
  /** Only generations accepted at or after this time. */
  since?: Timestamp;
  /** Only generations accepted before this time. */
  until?: Timestamp;
  /**
   * Only generations with this in `prompt`, `text`, or the strings `source` and `target` of the request's
   * `metadata`, taken literally, but without regard to the case of A to Z. If much of the history has to be
   * searched, a page may be short or even empty and still have a `nextCursor`: continue with it.
   */
  search?: string;
  /** Only refinements and regenerations of this generation. */
  parentGenerationId?: GenerationID;
  /** true: only generations marked as favorites with `history/annotate`. Default false. */
  favorite?: boolean;
}

/** Sums over generations. */
export interface HistoryTotals {
  /** The number of generations that match. */
  generations: number;
  /** Credits spent on them. */
  creditsUsed: number;
  /** What the providers charged, in US dollars, as far as known. */
  costUsd: number;
  /** True if a search was not counted to the end: the sums are at least these. Absent otherwise. */
  atLeast?: boolean;
}

/** The identity of a person. The host has to verify it; the service does not. */
export interface Identity {
  /** The identity provider, such as `apple`, `google` or `email`. */
  provider: string;
  /** The identity provider's id of the person, which never changes. */
  subject: string;
}

/** A picture, or a slice of it. */
export interface ImageContent {
  /** The bytes from `offset` on, in base64. */
  data: string;
  /** The media type of the whole, such as `image/jpeg`; of a sheet in PDF `application/pdf`. */
  mimeType: string;
  /** The width in pixels; of a sheet with 300 in an inch. */
  width: number;
  /** The height in pixels, likewise. */
  height: number;
  /** The size of the whole, in bytes. */
  bytes: number;
  /** The position of the first byte in `data`. */
  offset: number;
  /** The `offset` of the next slice; absent in the last one. */
  nextOffset?: number;
}

/** A link to a picture. */
export interface ImageLink {
  /** The link, for GET. Whoever has it can read the picture: do not write it into a log. */
  url: string;
  /** When the link ends. */
  expiresAt: Timestamp;
  /** The media type, such as `image/jpeg`. */
  mimeType: string;
  /** The width in pixels. */
  width: number;
  /** The height in pixels. */
  height: number;
  /** The size of the file, in bytes. */
  bytes: number;
  /** The SHA-256 of the file, in hexadecimal. */
  sha256: string;
}

/**
 * Returns a link with which anybody can read a picture of a generation for ten minutes, for hosts that hand it to a
 * browser without carrying its bytes. The link leads to the operator's bucket, and needs neither a key nor an
 * account: whoever has it has the picture. It is refused with `permission_denied` unless the operator has switched
 * links on, and ends early when the picture is deleted, or when the bucket's key is a temporary one that ends.
 */
export interface ImageLinkParams {
  /** The generation that made the picture. */
  generationId: GenerationID;
  /** Which of its pictures. Default 0. */
  index?: number;
  /** The picture or its matte. Default `full`. */
  variant?: ImageLinkVariant;
  /** The account that the generation must belong to. Default: the connection's account, otherwise any. */
  account?: AccountID;
}

/**
 * What a link leads to.
 *
 * - `full`: The file as the provider made it, byte for byte.
 * - `matte`: The matte of the picture, if it was asked for with `output.matte`.
 */
export type ImageLinkVariant = "full" | "matte";

/**
 * Prepares a photo for `generate`, and keeps it for a day or returns it. Accepts larger photos than `generate`: up
 * to 40 MB and 60 megapixels, as a JPEG 250. The result is never too large for `generate`.
 */
export interface ImagePrepareParams {
  /** The photo. */
  image: ImageSource;
  /**
   * The longest side of the prepared photo, in pixels; a smaller photo is not enlarged. Up to the default, the file
   * has at most 2 MB. With more, it has as much detail as fits into the 7,000,000 bytes that `generate` takes: 4096
   * is for a headshot from a photo of many megapixels. Default 1280.
   */
  longestSide?: number;
  /** true: the prepared photo is in the answer and is not kept. Default false. */
  inline?: boolean;
  /** The account that the prepared photo belongs to. Default: the connection's account, otherwise `owner`. */
  account?: AccountID;
}

/**
 * Returns a picture of a generation in base64, for hosts that cannot read the service's files. An answer has at most
 * 1,048,575 bytes of the picture; `nextOffset` says where the next slice begins. That number is a multiple of three,
 * so the texts of consecutive slices can be joined before they are decoded.
 */
export interface ImageReadParams {
  /** The generation that made the picture. */
  generationId: GenerationID;
  /** Which of its pictures. Default 0. */
  index?: number;
  /**
   * The stored file, a small picture, the matte, or the photo. Default: `thumbnail` if `maxSide` is given or
   * `watermark` is true, otherwise `full`.
   */
  variant?: ImageReadVariant;
  /**
   * The longest side of a thumbnail, in pixels; not with `full` or `matte`. A smaller picture is not enlarged.
   * Default 256; with `original`, the photo is returned as it is kept if this is absent.
   */
  maxSide?: number;
  /**
   * true: a small JPEG with the operator's watermark over all of it, at every size; not with `full` or `matte`. If
   * the operator has configured no watermark, the picture is refused with `not_found`. Default false.
   */
  watermark?: boolean;
  /**
   * The picture on a sheet of paper in place of the stored file, to be printed and cut; not with `maxSide`,
   * `watermark` or another variant than `full`. If it does not fit on the paper, it is refused with
   * `invalid_dimensions`.
   */
  sheet?: PrintSheet;
  /** The first byte to return: 0, or `nextOffset` of the previous slice. Default 0. */
  offset?: number;
  /** The account that the generation must belong to. Default: the connection's account, otherwise any. */
  account?: AccountID;
}

/**
 * What is returned of a picture.
 *
 * - `full`: The file as the provider made it, byte for byte.
 * - `thumbnail`: A small JPEG.
 * - `matte`: The matte of the picture, if it was asked for with `output.matte`.
 * - `original`: The photo, or the earlier picture, that the generation works from, as long as it is kept; also
 * before it has ended. `index` has no meaning for it.
 */
export type ImageReadVariant = "full" | "thumbnail" | "matte" | "original";

/** A picture, in exactly one of four forms. */
export type ImageSource = { path: string } | { data: string; mimeType?: string } | { generationId: GenerationID; index?: number } | { preparedId: PreparedID };

/** What the service is and what it can do. */
export interface Initialization {
  /** The protocol version that the service speaks. */
  protocolVersion: string;
  /** The name and version of the service. */
  serverInfo: ServerInfo;
  /** What the service can do. */
  capabilities: ServerCapabilities;
  /** The limits of what the service accepts. */
  limits: Limits;
  /** Every provider of this service, whether it is available or not. */
  providers: ProviderID[];
  /** The language that was chosen from `locale`, one of `capabilities.locales`. */
  locale: string;
}

/** Which notifications the host wants, and what it answers. */
export interface InitializeCapabilities {
  /** Whether to send `generation/progress` for requests that do not say. Default true. */
  progress?: boolean;
  /** The method names of the notifications that the host does not want. */
  mute?: string[];
  /** Whether the host answers `location/search`. Default false. */
  locationSearch?: boolean;
}

/** The name and version of the host. */
export interface InitializeClientInfo {
  /** The name of the program. */
  name: string;
  /** The version of the program. */
  version?: string;
}

/**
 * Exchanges the versions and capabilities of host and service. Optional: any method may come first. Unknown members
 * are ignored, because clients built on the Language Server Protocol send many.
 */
export interface InitializeParams {
  /** The name and version of the host, for the log. */
  clientInfo?: InitializeClientInfo;
  /**
   * The id of the host's process. When that process ends, the service ends as well. Ignored if the service cannot
   * see the process.
   */
  processId?: number;
  /** The protocol version that the host was written for. */
  protocolVersion?: string;
  /**
   * Confines the connection to this account: it sees the generations of no other account, and naming another account
   * is refused. Default: the connection may act for every account.
   */
  account?: AccountID;
  /**
   * The language of what the person reads: messages of errors, warnings and progress. The tag of a language (BCP
   * 47), such as `es-MX`, or several with weights as in the HTTP header `Accept-Language`, such as `ja, en;q=0.5`.
   * Language and script decide: `es-AR` is Spanish, `zh-TW` is not `zh-Hans`. Default, and where none of them is in
   * `capabilities.locales`: English.
   */
  locale?: string;
  /** Which notifications the host wants, and what it answers. */
  capabilities?: InitializeCapabilities;
}

/** The details of `insufficient_credits`: what is missing, and how to get it. */
export interface InsufficientCreditsDetails {
  /** Credits that the request needs. */
  required: number;
  /** Credits that the account can spend. */
  available: number;
  /** Credits owed because a shop revoked a purchase whose credits were already spent; absent if none are owed. */
  shortfall?: number;
  /** Products that give more credits; empty if nothing is for sale. */
  upgradeOptions: UpgradeOption[];
}

/** The details of `invalid_receipt`: why the purchase was refused. */
export interface InvalidReceiptDetails {
  /** The stable name of the reason, such as `wrong_account`; more may be added. */
  reason: string;
}

/** What was stored. */
export interface KeptFeedback {
  /** The generation. */
  generationId: GenerationID;
  /** The stored feedback. */
  feedback: Feedback;
}

/** Durations of the newest generations that delivered pictures and did not reuse an earlier result. */
export interface Latency {
  /** The number of these generations: at most 2,000. */
  generations: number;
  /** Waiting for a free slot or for the provider. */
  queuedMs: Percentiles;
  /** Reading and preparing the photo. */
  preparingMs: Percentiles;
  /** Sending to the provider. */
  uploadingMs: Percentiles;
  /** Making the pictures. */
  processingMs: Percentiles;
  /** Writing files and records. */
  savingMs: Percentiles;
  /** From acceptance to the end. */
  totalMs: Percentiles;
}

/** A usage limit and its current count. */
export interface Limit {
  /**
   * What is counted: the requests within a `minute`, an `hour` or a `day`, or `concurrent` generations; more may be
   * added.
   */
  scope: string;
  /** The recipe that the limit is for; absent if it is for all recipes together. */
  recipe?: Recipe | (string & {});
  /** The highest count allowed. */
  limit: number;
  /** The current count. */
  used: number;
  /** When a request may be accepted again, if the limit is reached and the time is known. */
  resetsAt?: Timestamp;
}

/**
 * The details of a usage limit that the account has reached. When a provider refuses because of a limit of its own,
 * `details` may differ.
 */
export interface LimitDetails {
  /**
   * What is counted: the requests within a `minute`, an `hour` or a `day`, or `concurrent` generations; more may be
   * added.
   */
  scope: string;
  /** The highest count allowed. */
  limit: number;
  /** The current count. */
  used?: number;
  /** When a request may be accepted again; absent if that depends on the end of another generation. */
  resetsAt?: Timestamp;
}

/** The limits of what the service accepts. */
export interface Limits {
  /** The maximum size of a message, in bytes. */
  maxMessageBytes: number;
  /** The maximum size of a photo for `generate`, in bytes. */
  maxImageBytes: number;
  /** The maximum number of requests in flight. */
  maxInFlight: number;
}

/**
 * Asks the host whether a place exists. The service sends it to a host that set `capabilities.locationSearch` in
 * `initialize`, while it works on a request for `places`. The host has ten seconds. An error, an answer of another
 * form, or none becomes a warning of the generation, and the operator's geocoder is asked instead. `$/cancelRequest`
 * withdraws the question.
 */
export interface LocationQuery {
  /** The name of a place and where it is said to be, as the model wrote them: `Houndstooth Coffee, Austin`. */
  query: string;
  /** Where the request for places wants them, if it says. */
  near?: SearchArea;
  /** The language that the request for places wants names in, if it says. */
  language?: string;
  /** The generation that the place is for. */
  generationId: GenerationID;
}

/** What was found. */
export interface LocationSearchResult {
  /** The places that fit the query, best first; empty if there are none. Of more than twenty, the first twenty count. */
  places: FoundPlace[];
}

/**
 * What happens to a request while its provider cannot be reached.
 *
 * - `fail`: The request fails at once.
 * - `queue`: The request waits in the offline queue.
 */
export type OfflinePolicy = "fail" | "queue";

/** A photo before it was prepared. */
export interface OriginalImage {
  /** The width in pixels. */
  width: number;
  /** The height in pixels. */
  height: number;
  /** The size of the file, in bytes. */
  bytes: number;
  /** The media type, recognised by the content of the file. */
  mimeType: string;
}

/** How many pictures to make, and where to put them. */
export interface Output {
  /** Which pictures to make. Default `single`. */
  mode?: GenerateOutputMode;
  /** The number of variations. Default 1. */
  count?: number;
  /** An existing folder, into which the pictures are copied under new names. */
  directory?: string;
  /** true: the answer contains the pictures, in base64. Default false. */
  inline?: boolean;
  /**
   * The shape, as width:height, such as `1:1` or `3:4`; the possible values depend on the provider. On this machine
   * `1:1` (the default), `4:5`, `3:4` and `2:3`.
   */
  aspectRatio?: AspectRatio;
  /**
   * The size, such as `1K` or `1024x1024`; the possible values depend on the provider. On this machine the pixels of
   * the longest side, from `256` to `2048`; beyond 1024, the picture has no more than the photo shows of it, with
   * the warning `size_differs`. Default there: `1024`. With the crop `passport`, two sides such as `600x750`, from
   * 100 to 2048, are kept exactly.
   */
  size?: string;
  /**
   * The format of the file, of a headshot made on this machine; the providers elsewhere choose theirs. Default:
   * `png` for a transparent background, otherwise `jpeg`.
   */
  format?: PictureFormat;
  /**
   * How large and exact a `jpeg` or `webp` is: from 1, the smallest file, to 100, the most exact picture; of a
   * headshot made on this machine. Default 92.
   */
  quality?: number;
  /**
   * The most bytes that the file of a `jpeg` or `webp` may have, as portals for passports demand: the quality is
   * lowered as far as needed, but not so far that the face suffers. What does not fit is refused with
   * `image_too_large`. Of a headshot made on this machine.
   */
  maxBytes?: number;
  /**
   * The fewest bytes that the file of a `jpeg` may have, as some portals demand: the quality is raised as far as
   * needed, and what is still missing is filled up with a comment, which no picture shows. At most `maxBytes`.
   */
  minBytes?: number;
  /** How the person is placed, in place of `aspectRatio`; of a headshot made on this machine. */
  crop?: PictureCrop;
  /**
   * The size of a printed photo for a passport, with the crop `passport`. Default `35x45`, unless `size` has two
   * sides.
   */
  passportSize?: PassportSize;
  /**
   * The height of the head from chin to crown, in place of the rule that comes with the size, with the crop
   * `passport`.
   */
  headHeight?: HeadHeight;
  /**
   * true: each picture comes with its matte, a second file that says how opaque the person is in each pixel; of a
   * headshot made on this machine. It costs nothing. Default false.
   */
  matte?: boolean;
}

/** What `output` of a headshot made on this machine may ask for. */
export interface OutputChoices {
  /** The formats, the default format first. */
  formats: (PictureFormat | (string & {}))[];
  /** The shapes, for `aspectRatio`, the default shape first. */
  aspectRatios: string[];
  /** The smallest longest side, in pixels, for `size`. */
  minimumSize: number;
  /** The largest longest side, in pixels, for `size`. */
  maximumSize: number;
  /** The longest side, in pixels, if the request names no size. */
  defaultSize: number;
  /** The crops that replace an aspect ratio. */
  crops: (PictureCrop | (string & {}))[];
  /** The sizes of photos for passports, for `passportSize`, the default size first. */
  passportSizes: PassportSize[];
  /**
   * The presets that `passportSize` may name, in the order of their names: what is built in, and what the operator
   * has added.
   */
  passportPresets?: PassportPreset[];
  /** Whether a picture can come with its matte. */
  matte: boolean;
}

/** The size of a sheet of paper. */
export type PaperSize = string;

/** What a country, an authority or a portal asks of a photo, under a name. */
export interface PassportPreset {
  /**
   * The name, for `passportSize`: in the built-in list the country's two letters (ISO 3166), and perhaps what the
   * photo is for, such as `us-visa`.
   */
  id: string;
  /** The country, and what the photo is for, in English. */
  title: string;
  /** The size in print, such as `35x45` or `2x2in`. */
  size: PassportSize;
  /** The height of the head from chin to crown. Default: that of the nearest size that has a rule. */
  headHeight?: HeadHeight;
  /** The height of the eyes above the lower edge. */
  eyeHeight?: HeadHeight;
  /** The width and height in pixels, such as `600x600`, if a portal asks for exactly these. */
  pixels?: string;
  /** The fewest bytes that a portal takes, for a request that names none. */
  minBytes?: number;
  /** The most bytes that a portal takes, for a request that names none. */
  maxBytes?: number;
}

/**
 * The size of a printed photo for a passport or a visa: a width and a height such as `35x45`, in millimetres unless
 * a unit follows (`3.5x4.5cm`, `2x2in`), or the name of a preset such as `us`, as `styles/list` lists them. Some
 * sizes come with the rule of those who ask for them, unless `headHeight` names another: `35x45`, that of ICAO 9303,
 * as in most countries; `2x2in` and `51x51`, that of the United States; `50x70`, Canada's; and `33x48`, China's. In
 * any other size, the head is as high as ICAO 9303 prescribes, and in one that is nearly a square as the United
 * States do.
 */
export type PassportSize = string;

/** A model that has a cooldown, a pause that its provider asked for. */
export interface PausedModel {
  /** The model's name, as `generate` takes it. */
  model: string;
  /** The end of the cooldown; a success ends it earlier. */
  until: Timestamp;
}

/** Percentiles in milliseconds; 0 if there are no generations. */
export interface Percentiles {
  /** Half of the generations took no longer. */
  p50: number;
  /** 95 % of the generations took no longer. */
  p95: number;
  /** 99 % of the generations took no longer. */
  p99: number;
}

/**
 * What a generation is doing. The phases follow in this order; only a generation that waits for its provider again
 * returns to `queued`.
 *
 * - `queued`: Waiting for a free slot or for its provider.
 * - `preparing`: Reading and preparing the photo.
 * - `uploading`: Sending to the provider.
 * - `processing`: Making the pictures.
 * - `saving`: Writing files and records.
 */
export type Phase = "queued" | "preparing" | "uploading" | "processing" | "saving";

/**
 * How the person is placed in a picture.
 *
 * - `passport`: As in a photo for a passport, of the size that `passportSize` names: the head has the height that
 * the rule prescribes from chin to crown, is centred and upright, and the background is white unless another is
 * named. A `size` of two sides, such as `600x750`, is then kept exactly. The warning `passport_rule` says which rule
 * the photo breaks, as far as that can be measured.
 * - `none`: Not at all: the picture shows the whole photo, in its shape, with another background or none. Everybody
 * in it stays, and nothing is levelled.
 */
export type PictureCrop = "passport" | "none";

/**
 * The format of a picture's file.
 *
 * - `jpeg`: Small files without transparency.
 * - `png`: Files without any loss, with transparency.
 * - `webp`: Smaller files than both, with transparency.
 */
export type PictureFormat = "jpeg" | "png" | "webp";

/**
 * The matte of a picture, and its file: gray levels of 8 bits, as large as the picture. 255 is the person, 0 is the
 * background, and what is between is the part of the person in that pixel.
 */
export interface PictureMatte {
  /** The path of the file, as that of the picture. */
  path?: string;
  /** The path of the service's own file, if `path` is the copy in the output directory. */
  storedPath?: string;
  /** The media type: `image/png`. */
  mimeType: string;
  /** The size of the file, in bytes. */
  bytes: number;
  /** The SHA-256 of the file, in hexadecimal. */
  sha256: string;
  /** The file in base64, if `output.inline` is true or the file could not be stored. */
  data?: string;
}

/** Checks that the service responds. Answered at once, whatever else is running. */
export interface PingParams {
}

/** An empty object. */
export interface PingResult {
}

/** A place that a lookup has found: whatever the model says, nothing else becomes a place of a result. */
export interface Place {
  /** The name of the place. */
  name: string;
  /** Street and number, as the lookup wrote them; empty if it knows none. */
  streetAddress1: string;
  /** A second line of the address, such as a floor. */
  streetAddress2?: string;
  /** Town or city; empty if the lookup knows none. */
  city: string;
  /** State, province or region. */
  state?: string;
  /** The postal code. */
  postalCode?: string;
  /** The country's name. */
  country?: string;
  /** The position that the lookup found. */
  coordinate?: CoordinateInResult;
  /** Who answered the lookup. */
  source: PlaceSource | (string & {});
  /** When the lookup was answered. */
  verifiedAt: Timestamp;
}

/**
 * Who answers lookups of places.
 *
 * - `host`: The host, by `location/search`.
 * - `geocoder`: The geocoder that the operator configured.
 */
export type PlaceSource = "host" | "geocoder";

/** The id of a photo that `image/prepare` has prepared. */
export type PreparedID = string;

/** The prepared photo. */
export interface PreparedImage {
  /** The id of the prepared photo, for `generate` as `{"preparedId": …}`; absent if it is not kept. */
  preparedId?: PreparedID;
  /** The file in base64, for `generate` as `{"data": …}`, if `inline` is true. */
  data?: string;
  /** The width in pixels. */
  width: number;
  /** The height in pixels. */
  height: number;
  /** The size of the prepared photo, in bytes. */
  bytes: number;
  /** The media type, such as `image/jpeg`. */
  mimeType: string;
  /** The photo before it was prepared. */
  original: OriginalImage;
  /**
   * The changes made, such as `rotated`, `resized` or `metadata_removed`; more may be added. Empty if none was
   * needed.
   */
  changes: string[];
  /** What the person should know about the prepared photo, such as `hdr_not_converted`; absent if there is nothing. */
  warnings?: GenerationWarning[];
  /** When the prepared photo is erased; absent if it is not kept. */
  expiresAt?: Timestamp;
}

/** A price to show. Do not calculate with it: a shop may charge another amount in another country. */
export interface Price {
  /** The amount in decimal digits, such as `9.99`; a string, because a binary fraction would not be exact. */
  amount: string;
  /** The currency code of ISO 4217, such as `USD`. */
  currency: string;
}

/**
 * A sheet of paper with copies of one picture in its exact size, with 300 pixels in an inch, to be printed and cut.
 * A photo for a passport has the size that was asked for; any other picture has 300 pixels in an inch.
 */
export interface PrintSheet {
  /**
   * The paper: `a4`, `a5`, `a6` or `letter`, or a width and a height in centimetres such as `10x15`, unless a unit
   * follows (`100x150mm`, `4x6in`). It is turned if more copies fit so.
   */
  paper: PaperSize;
  /** How many copies. Default: as many as fit. */
  copies?: number;
  /** The format of the file. Default `pdf`. */
  format?: SheetFormat;
  /** Whether lines show where to cut. Default true. */
  cuttingLines?: boolean;
}

/** The service's id of a product, which may differ from the ids in the shops. */
export type ProductID = string;

/** Where a product is sold, and its id there. */
export interface ProductPlatforms {
  /** The product id in the App Store; absent if the product is not sold there. */
  apple?: string;
  /** The product id in Google Play; absent if the product is not sold there. */
  google?: string;
  /** The id under which the host sells the product itself, for example by card; absent if it does not. */
  web?: string;
}

/** The progress of a generation, at least once a second until it ends. */
export interface Progress {
  /** The generation. */
  generationId: GenerationID;
  /**
   * The id of the request that the progress is for, as it was sent: the one that started the generation, or one that
   * watches it. Absent for a generation that another process has accepted and that no request watches.
   */
  requestId?: unknown;
  /** Rises with every notification about the generation that is for the same request; numbers may be skipped. */
  sequence: number;
  /** The state of the generation: `queued` or `running`. */
  state: State | (string & {});
  /** The current phase. */
  phase: Phase | (string & {});
  /** What the generation is doing, as a sentence for the person. */
  message: string;
  /** The part of the phase that is done, from 0 to 1 with at most three decimals; absent if unknown. */
  fraction?: number;
  /**
   * The part of the generation that is done, from 0 to 1 with at most three decimals. It decreases only when the
   * generation returns to the phase `queued`.
   */
  overall: number;
  /** The picture that is being made; absent if there is only one. */
  step?: Step;
  /**
   * The places of a `places` request that lookups have confirmed so far, all of them each time. The list at the end
   * has those that the model chose. Absent while there are none, and for a private generation.
   */
  places?: Place[];
  /** Milliseconds since the generation was accepted. */
  elapsedMs: number;
  /** The position among the waiting generations: 1 starts next. Absent if the generation is not waiting. */
  queuePosition?: number;
  /**
   * Estimated milliseconds until the end, based on the duration of earlier generations; absent if there is no
   * estimate.
   */
  etaMs?: number;
}

/** One provider. */
export interface Provider {
  /** The id, for `generate` as `provider`. */
  id: ProviderID;
  /** The provider's name for people. */
  title: string;
  /** True when the provider can be used now. */
  available: boolean;
  /** Why the provider is not available and what to do about it, as a sentence for the person. */
  reason?: string;
  /** What whoever runs the service can do about it, in English. */
  hint?: string;
  /** True when the provider's API key is missing. */
  needsKey: boolean;
  /** The recipes that the provider can make. */
  recipes: (Recipe | (string & {}))[];
  /** The provider's models, the default model first. */
  models: string[];
  /** The provider's models that answer in words, for `places`, the default model first; absent if there are none. */
  textModels?: string[];
  /** Why the models could not be fetched; `models` then lists those that the service knows. */
  modelsError?: ErrorBody;
  /**
   * The end of the cooldown of the provider's default model, a pause that the provider asked for; absent if there is
   * none.
   */
  cooldownUntil?: Timestamp;
  /** The models that have a cooldown; the provider's other models can be used. */
  pausedModels?: PausedModel[];
  /** True when the provider works on this machine, without a network. */
  local: boolean;
  /** The price of each recipe that the provider can make. */
  offers?: ProviderOffer[];
}

/** A provider has become available or unavailable. */
export interface ProviderChangedParams {
  /** The provider. */
  id: ProviderID;
  /** True when the provider can be used now. */
  available: boolean;
  /** The end of the cooldown of the provider's default model; absent if there is none. */
  cooldownUntil?: Timestamp;
}

/** The provider of a generation, or several in the order in which to try them. */
export type ProviderChoice = ProviderID | ProviderID[];

/** The id of a provider: `ondevice`, `gemini` or `openai`; more may be added. */
export type ProviderID = string;

/** What a picture of one recipe, or a list of places, costs at a provider. */
export interface ProviderOffer {
  /** The recipe. */
  recipe: Recipe | (string & {});
  /** True when a request that names no provider would be sent to this one now. */
  isDefault: boolean;
  /** The credits that a picture, or a list of places, costs a metered account. */
  creditsPerImage: number;
  /**
   * What a picture of the default model in its standard size costs whoever pays the provider, in US dollars; absent
   * if unknown.
   */
  usdPerImage?: number;
}

/** Whether a provider can be used now. */
export interface ProviderStatus {
  /** The provider. */
  id: ProviderID;
  /** True when the provider can be used now. */
  available: boolean;
  /** Why the provider is not available and what to do about it, as a sentence for the person. */
  reason?: string;
  /** What whoever runs the service can do about it, in English. */
  hint?: string;
  /** True when the provider's API key is missing. */
  needsKey: boolean;
  /**
   * The end of the cooldown of the provider's default model, a pause that the provider asked for; absent if there is
   * none.
   */
  cooldownUntil?: Timestamp;
  /** The models that have a cooldown; the provider's other models can be used. */
  pausedModels?: PausedModel[];
}

/** Lists the providers, what they can make, and whether they are available. */
export interface ProvidersListParams {
  /**
   * true: ask each available provider which models its key may use; the answer takes as long as the slowest
   * provider. Default false: list the models that the service knows.
   */
  fetchModels?: boolean;
}

/** The providers of the service. */
export interface ProvidersListResult {
  /** Every provider; those on this machine first. */
  providers: Provider[];
}

/** What the purchase granted. */
export interface Purchase {
  /** The account that has the credits. */
  account: AccountID;
  /** The product that was bought. */
  product: ProductID;
  /** The shop's id of the purchase. */
  transactionId: string;
  /** Credits granted by this request. */
  granted: number;
  /** True when the purchase had been submitted before. */
  alreadyGranted: boolean;
  /** Why these are fewer credits than the product gives; absent if they are not. */
  reason?: ReducedGrant | (string & {});
  /** The account's balance. */
  balance: CreditBalance;
  /** The account's usage limits from here on; empty if it has none. */
  limits: Limit[];
}

/**
 * A shop that signs its purchases.
 *
 * - `apple`: The App Store.
 * - `google`: Google Play.
 */
export type PurchasePlatform = "apple" | "google";

/** The offline queue of the data directory, or an account's part of it. */
export interface Queue {
  /** The number of waiting generations. */
  waiting: number;
  /** True when they are held back until `queue/resume`. */
  paused: boolean;
  /** The time of the next probe of any of the providers; absent if none is planned. */
  nextProbeAt?: Timestamp;
  /** The waiting generations by provider. */
  providers: QueueLine[];
}

/** The generations that wait for one provider. */
export interface QueueLine {
  /** The provider that they wait for. */
  id: ProviderID;
  /** The number of waiting generations. */
  waiting: number;
  /** When the oldest of them was accepted. */
  oldestAt: Timestamp;
  /** When the provider's outage began; absent if the provider can be reached or has only asked for a pause. */
  unreachableSince?: Timestamp;
  /** The time of the next probe of the provider. */
  nextProbeAt?: Timestamp;
  /** The end of the provider's cooldown; absent if there is none. */
  cooldownUntil?: Timestamp;
}

/** Holds back the waiting generations, in every process, until `queue/resume`. */
export interface QueuePauseParams {
  /** The account, or `*` for all accounts. Default: the connection's account, otherwise `owner`. */
  account?: AccountID;
}

/** Releases the waiting generations: each starts as soon as its provider can be reached. */
export interface QueueResumeParams {
  /** The account, or `*` for all accounts. Default: the connection's account, otherwise `owner`. */
  account?: AccountID;
}

/** Reports the offline queue: the generations that wait for a provider that cannot be reached. */
export interface QueueStatusParams {
  /** The account, or `*` for all accounts. Default: the connection's account, otherwise `owner`. */
  account?: AccountID;
}

/**
 * The kind of picture to make.
 *
 * - `headshot`: A portrait from a photo, in one of six styles.
 * - `hairstyle`: Another haircut in a photo.
 * - `edit`: Any other change to a photo.
 * - `create`: A picture from a prompt.
 * - `places`: A list of verified places from a prompt.
 */
export type Recipe = "headshot" | "hairstyle" | "edit" | "create" | "places";

/**
 * Why a purchase or a tier granted fewer credits than it gives. More values may be added.
 *
 * - `already_granted`: The same request was made before, and granted then what it gives.
 * - `month_running`: A month of the same subscription is running: its credits were granted when it began, for
 * another purchase or before an interruption.
 * - `plan_changed`: A month of another plan is running: what this plan gives beyond it was granted, which may be
 * nothing.
 * - `not_started`: The month begins later, or follows the running one: its credits are granted then.
 */
export type ReducedGrant = "already_granted" | "month_running" | "plan_changed" | "not_started";

/**
 * Makes an earlier generation again: the same params, a new result. The params given here replace the earlier ones;
 * recipe, photo and references stay the same.
 */
export interface RegenerateParams {
  /** The generation to make again; it must have ended. */
  generationId: GenerationID;
  /** The new prompt, in words of any language. */
  prompt?: string;
  /** The new look of a headshot. */
  style?: Style;
  /** Another template of the hairstyle library; for `hairstyle`. */
  templateId?: string;
  /**
   * How many pictures to make, and where to put them. Members that are left out stay as they were, except for an
   * earlier `aspectRatio` where a `crop` is asked for, an earlier `crop` where an `aspectRatio` is, and an earlier
   * `quality` where the new format has none.
   */
  output?: Output;
  /** Another provider, or several in the order in which to try them. */
  provider?: ProviderChoice;
  /** Another of the provider's models. */
  model?: string;
  /** How much the model may vary the result. */
  temperature?: number;
  /**
   * Makes the new result repeatable, if the provider supports it. Default: a new seed if the earlier request had
   * one, otherwise none.
   */
  seed?: number;
  /** The time limit from the start of the work, in milliseconds. */
  timeoutMs?: number;
  /** The account that the generation must belong to. Default: the connection's account, otherwise any. */
  account?: AccountID;
  /**
   * Makes it safe to send a request again: the same key with the same params gives the same generation. Unique
   * within an account.
   */
  idempotencyKey?: string;
  /** What to do while the provider cannot be reached. */
  whenOffline?: OfflinePolicy;
  /** With `whenOffline` `queue`, the longest wait for the provider, in milliseconds. */
  waitMs?: number;
  /** true: neither prompt nor pictures of the new generation are kept. */
  private?: boolean;
  /** true: the answer comes once the request is durably accepted. Default false. */
  detach?: boolean;
  /** Whether to send `generation/progress`. Default true. */
  progress?: boolean;
  /** Any data of the host, kept with the new generation; at most 4096 bytes as JSON. */
  metadata?: Record<string, unknown>;
}

/** A picture that was made, and its file. */
export interface ResultImage {
  /** The position among the requested pictures, from 0. */
  index: number;
  /** In a multi-angle generation: `front`, `left`, `right` or `back`. */
  view?: string;
  /**
   * The path of the file: the copy in the output directory if one was named, otherwise the service's own file.
   * Absent if a private request named no output directory, on a confined connection if the file is outside its
   * folders, and while the file is in the operator's bucket only: `image/read` fetches it.
   */
  path?: string;
  /** The path of the service's own file, if `path` is the copy in the output directory. */
  storedPath?: string;
  /** The media type, such as `image/jpeg`. */
  mimeType: string;
  /** The width in pixels. */
  width: number;
  /** The height in pixels. */
  height: number;
  /** The size of the file, in bytes. */
  bytes: number;
  /** The SHA-256 of the file, in hexadecimal. */
  sha256: string;
  /** The file in base64, if `output.inline` is true or the file could not be stored. */
  data?: string;
  /** The matte, if `output.matte` was true. */
  matte?: PictureMatte;
}

/** Where to look for places: a position, or an area in words. */
export type SearchArea = Coordinate | (string & {});

/** What the service can do; members may be added. */
export interface ServerCapabilities {
  /** The recipes that at least one provider can make, whether it is available or not. */
  recipes: (Recipe | (string & {}))[];
  /** Every request and notification that the service accepts. */
  methods: string[];
  /** Every notification that the service sends. */
  notifications: string[];
  /** The languages of what the person reads, as tags (BCP 47). */
  locales: string[];
  /** Whether the operator has named a watermark, so that `image/read` takes `watermark`. */
  watermark: boolean;
}

/** The name and version of the service. */
export interface ServerInfo {
  /** Always `atelier`. */
  name: string;
  /** The version of the program. */
  version: string;
}

/** The state of the service. */
export interface ServiceStatus {
  /** The version of the service. */
  version: string;
  /** Milliseconds since the process started. */
  uptimeMs: number;
  /** The number of generations that this process works on. */
  inFlight: number;
  /** The number of generations of this process that wait. */
  queued: number;
  /** Every provider of the service. */
  providers: ProviderStatus[];
  /** The database of history and queue. */
  store: StoreStatus;
  /** Counts since the process started. */
  counters: Counters;
  /** The resident memory of this process, in bytes. */
  memoryBytes: number;
  /** How the process that decodes pictures is confined; absent before the first one has started. */
  confinement?: WorkerConfinement;
  /**
   * The metrics in the text format of Prometheus, version 0.0.4, if the request asks for them: of this process and
   * of the data directory, which all its processes share.
   */
  metrics?: string;
}

/** One session. */
export interface Session {
  /** The id of the generation with which the session began, even if that generation was deleted. */
  sessionId: GenerationID;
  /** The account that the session belongs to. */
  account: AccountID;
  /** The number of its generations that are in history. */
  steps: number;
  /** When the newest step was accepted. */
  latestAt: Timestamp;
  /** The earliest step that is in history. */
  first: SessionStep;
  /** The newest step. */
  last: SessionStep;
  /** The thumbnail file of `last` or, if it has none, of `first`. */
  thumbnail?: string;
}

/**
 * Lists the steps of a session, oldest first, in pages. Each entry comes after the one that it refines, which its
 * `parentGenerationId` names. A page may be shorter than its limit, so that its line stays under 60 KiB.
 */
export interface SessionGetParams {
  /** The id of the session, or of any of its generations. */
  sessionId: GenerationID;
  /** The account that the session must belong to. Default: the connection's account, otherwise any. */
  account?: AccountID;
  /** The maximum number of entries in the page. Default 20. */
  limit?: number;
  /** The `nextCursor` of the previous page. Default: the first page. */
  cursor?: string;
}

/**
 * Lists sessions, the one with the newest step first. A session is a chain of refinements: a generation, the
 * generations that refine it or make it again, those that refine these, and so on.
 */
export interface SessionListParams {
  /** The account, or `*` for all accounts. Default: the connection's account, otherwise `owner`. */
  account?: AccountID;
  /** The maximum number of sessions in the page. Default 20. */
  limit?: number;
  /** The `nextCursor` of the previous page. Default: the first page. */
  cursor?: string;
}

/** One page of sessions. */
export interface SessionPage {
  /** The sessions, the one with the newest step first. */
  sessions: Session[];
  /** The cursor of the next page; absent on the last page. */
  nextCursor?: string;
}

/** The members of a step that a list shows; `history/get` returns all of them. */
export interface SessionStep {
  /** The generation. */
  generationId: GenerationID;
  /** When the generation was accepted. */
  createdAt: Timestamp;
  /** The recipe of the generation. */
  recipe: Recipe | (string & {});
  /** The state of the generation. */
  state: State | (string & {});
  /** The beginning of the prompt, at most 120 characters. */
  prompt?: string;
}

/** One page of steps. */
export interface SessionSteps {
  /** The session that the steps belong to. */
  session: Session;
  /** The steps, oldest first. */
  entries: GenerationResult[];
  /** The cursor of the next page; absent on the last page. */
  nextCursor?: string;
}

/**
 * The format of a sheet's file.
 *
 * - `pdf`: With the size of the paper, which programs print as it is; a JPEG is in it byte for byte.
 * - `jpeg`: For shops that print pictures.
 */
export type SheetFormat = "pdf" | "jpeg";

/**
 * Announces that the host will end the connection. Afterwards only `exit`, `cancel` and `$/cancelRequest` are
 * accepted.
 */
export interface ShutdownParams {
}

/** The account to continue with. */
export interface SignIn {
  /** The account to use from now on: the one that the identity already belonged to, otherwise the one in the request. */
  account: AccountID;
  /** The account's tier now. */
  tier: Tier | (string & {});
  /** Credits granted by this request; 0 if they had been granted before. */
  granted: number;
  /** True when the identity was new. */
  isNew: boolean;
  /** True when the account in the request was merged into this one now. Requests that still name it act for this one. */
  merged: boolean;
  /** The account's balance. */
  balance: CreditBalance;
}

/**
 * The state of a generation.
 *
 * - `queued`: Durably accepted; waits for a free slot or for its provider.
 * - `running`: The pictures are being made.
 * - `succeeded`: Ended with every picture.
 * - `partial`: Ended with some of the pictures; `failures` says what happened to the others.
 * - `failed`: Ended without a picture; `error` says why.
 * - `cancelled`: Cancelled; nothing was charged.
 * - `interrupted`: The service died while it was running; nothing was charged.
 * - `expired`: Waited too long for its provider; nothing was charged.
 */
export type State = "queued" | "running" | "succeeded" | "partial" | "failed" | "cancelled" | "interrupted" | "expired";

/**
 * Returns the state of the service or, with `generationId` or `idempotencyKey`, that generation, whichever process
 * works on it.
 */
export interface StatusParams {
  /**
   * The account that the generation must belong to. Default: the connection's account; otherwise any for a
   * `generationId` and `owner` for an `idempotencyKey`.
   */
  account?: AccountID;
  /** The id of the generation; either this or `idempotencyKey`. */
  generationId?: GenerationID;
  /** The key of the request that started the generation; either this or `generationId`. */
  idempotencyKey?: string;
  /** Whether the state of the service includes its metrics; not on a confined connection. Default false. */
  metrics?: boolean;
}

/** The service or the generation, depending on the params. */
export type StatusResult = ServiceStatus | GenerationResult;

/** Which of several pictures is being made. */
export interface Step {
  /** The position of the picture, from 0. */
  index: number;
  /** The number of pictures. */
  count: number;
}

/** The state of the database. */
export interface StoreStatus {
  /** The data directory; absent on a confined connection. */
  path?: string;
  /** The version of the database's schema; 0 until the database is opened. */
  schemaVersion: number;
  /**
   * False if the database or the folder of the pictures cannot be opened or written to, is no longer the one that
   * was opened, or an audit of the credits found an error. While nothing can be written, requests are refused before
   * a provider is asked; asking for the status also tries whether that is over.
   */
  healthy: boolean;
  /** Why it is not healthy, and what to do; absent while it is. A database that does not answer is not waited for. */
  problem?: string;
  /** How old this is, in milliseconds; present only while the database does not answer and this was known last. */
  ageMs?: number;
  /** Why the machine's clock is not trusted; absent while it is trusted. */
  clockDoubt?: ClockDoubt;
  /**
   * How many pictures are still in the operator's bucket although they were deleted or not needed, because it could
   * not be reached; absent while there are none. A service that runs removes them as soon as the bucket answers.
   */
  unfinishedDeletions?: number;
}

/** Where the key is stored. */
export interface StoredCredential {
  /** The provider that the key is for. */
  provider: ProviderID;
  /** Where the key was stored. */
  source: CredentialSource | (string & {});
  /** The last characters of the key, to recognise it by. */
  masked: string;
  /** The environment variable whose key is used instead of this one, for as long as it is set. */
  environmentVariable?: string;
  /** A remark to show to the person, for example about the keyring. */
  note?: string;
}

/** The look of a headshot: the direction in which the person looks, and the background. */
export interface Style {
  /**
   * The direction in which the person looks. Default: to the front; a provider on this machine, which cannot turn a
   * head, then keeps the direction of the photo.
   */
  angle?: Angle;
  /**
   * The background: `auto`, a plain studio backdrop unless a headshot made on this machine cannot be cut out well
   * enough, and then the photo's own, out of focus, with the warning `background_kept`; `professional`, a plain
   * studio backdrop in every case; `casual`, an everyday place, out of focus; `white`, `transparent`, or a colour
   * such as `#1e90ff`; `keep`, the photo's own, of which a headshot made on this machine is levelled, cropped and
   * lit only. Default: `auto`, which is `white` for a passport.
   */
  background?: Background;
}

/** One style and its texts for people. */
export interface StyleOption {
  /** The name of the style, such as `left-casual`. */
  id: string;
  /** A short title, for a button. */
  title: string;
  /** One sentence that describes the style. */
  description: string;
  /** The style, for `generate` as `style`. */
  style: Style;
  /** The providers that can make it; one on this machine only from a photo that shows the person so. */
  providers: ProviderID[];
  /** The provider that makes it if the request names none; absent if only a named provider makes it. */
  defaultProvider?: ProviderID;
  /** The credits that a picture by the default provider costs a metered account. */
  creditsPerImage?: number;
  /** What a picture by the default provider costs whoever pays that provider, in US dollars; absent if unknown. */
  usdPerImage?: number;
}

/** Lists the styles of headshots. */
export interface StylesListParams {
}

/** A template of the hairstyle library. */
export interface Template {
  /** The id, for `generate` as `templateId`. */
  id: string;
  /** A short name, for a button. */
  name: string;
  /** The category. */
  category: TemplateCategory | (string & {});
  /** The description of the hairstyle that is sent to the provider. */
  prompt: string;
  /** Further terms to find the template by. */
  tags: string[];
  /** The initial number of uses plus the uses on this machine. */
  popularity: number;
  /**
   * The path of a picture of the hairstyle, which is sent to the provider if the request has fewer than two
   * references.
   */
  reference?: string;
  /** The path of a small picture, for a list. */
  thumbnail?: string;
}

/**
 * The category of a template.
 *
 * - `short`: Short hair.
 * - `medium`: Hair of medium length.
 * - `long`: Long hair.
 * - `curly`: Curls and waves.
 * - `updo`: Hair put up.
 * - `braids`: Braided hair.
 * - `color`: Coloured hair.
 * - `trendy`: What is in fashion.
 * - `beard`: Beards.
 */
export type TemplateCategory = "short" | "medium" | "long" | "curly" | "updo" | "braids" | "color" | "trendy" | "beard";

/** One page of templates. */
export interface TemplatePage {
  /** The templates, most used first, then by name. */
  templates: Template[];
  /** The cursor of the next page; absent on the last page. */
  nextCursor?: string;
  /**
   * The first twenty of the operator's files that are not used, and why; absent if there are none, and on a
   * connection that is confined to an account.
   */
  problems?: TemplateProblem[];
}

/** Why a file of the operator's templates is not used. */
export interface TemplateProblem {
  /** The name of the file in the folder `templates`, or the folder itself if it cannot be read. */
  file: string;
  /** The line in the file, from 1; absent if the problem is not in one line. */
  line?: number;
  /** What is wrong and what is expected, in one sentence. */
  message: string;
}

/** Returns one template of the hairstyle library. */
export interface TemplatesGetParams {
  /** The `id` of the template. */
  templateId: string;
}

/**
 * Lists the templates of the hairstyle library, most used first, in pages. All pages keep the order that was valid
 * for the first page, so that no template is repeated or left out because it is used meanwhile. A page may be
 * shorter than its limit, so that its line stays under 60 KiB.
 */
export interface TemplatesListParams {
  /** Only templates of this category. */
  category?: TemplateCategory;
  /** Only templates with this tag, regardless of case and accents. */
  tag?: string;
  /** Only templates with all these words in name, tags or prompt, regardless of case and accents. */
  search?: string;
  /** The maximum number of templates in the page. Default 50. */
  limit?: number;
  /** The `nextCursor` of the previous page. Default: the first page. */
  cursor?: string;
}

/**
 * What an account is entitled to; the operator can configure other numbers of credits.
 *
 * - `guest`: The person has not signed in: 1 credit, once.
 * - `free`: The person has signed in: 4 credits, once.
 * - `premium`: The account has a subscription: credits every month.
 * - `owner`: The machine's own account: needs no credits.
 */
export type Tier = "guest" | "free" | "premium" | "owner";

/** A point in time with milliseconds, in the form of RFC 3339: `2026-11-21T05:26:00.123Z`. */
export type Timestamp = string;

/** How long each phase took, in milliseconds. */
export interface Timings {
  /** Waiting for a free slot or for the provider. */
  queuedMs: number;
  /** Reading and preparing the photo. */
  preparingMs: number;
  /** Sending to the provider. */
  uploadingMs: number;
  /** Making the pictures. */
  processingMs: number;
  /** Writing files and records. */
  savingMs: number;
  /** From acceptance to the end. */
  totalMs: number;
}

/** A product to offer when there are not enough credits. */
export interface UpgradeOption {
  /** The id of the product in `credits/products`. */
  id: ProductID;
  /** How the product is sold. */
  kind: CreditProductKind | (string & {});
  /** A short title, for a button. */
  title: string;
  /** The credits of the product; of a subscription, for each period. */
  credits: number;
  /** The price; of a subscription, for each period. */
  price: Price;
}

/** What the provider counted and charged. */
export interface Usage {
  /** Tokens sent; 0 if the provider counts none. */
  inputTokens: number;
  /** Tokens received; 0 if the provider counts none. */
  outputTokens: number;
  /** What the provider charges, in US dollars; absent if unknown. */
  costUsd?: number;
}

/** Sums over the generations of a day. */
export interface UsageDay {
  /** The day in UTC, such as `2026-11-21`. */
  day: string;
  /** The number of generations accepted on that day. */
  generations: number;
  /** Credits spent on them. */
  creditsUsed: number;
  /** What the providers charged, in US dollars, as far as known. */
  costUsd: number;
}

/** Sums over the generations of a group. */
export interface UsageGroup {
  /** What they have in common: a recipe, a state, the id of a provider, or a kind of error. */
  name: string;
  /** The number of generations. */
  generations: number;
  /** Credits spent on them. */
  creditsUsed: number;
  /** What the providers charged, in US dollars, as far as known. */
  costUsd: number;
}

/** Sums and durations. */
export interface UsageStatistics {
  /** Sums over all of them. */
  total: UsageSum;
  /** By recipe, the most frequent first. */
  byRecipe: UsageGroup[];
  /** By state, the most frequent first. */
  byState: UsageGroup[];
  /** By provider; without generations that ended before a provider was chosen. */
  byProvider: UsageGroup[];
  /** By kind of error; only generations that have an error. */
  byFailure: UsageGroup[];
  /** By day, the latest first; at most 366 days. */
  byDay: UsageDay[];
  /** How long the generations took. */
  latency: Latency;
}

/**
 * Counts the generations that have ended and are in history, by recipe, state, provider, error and day, with their
 * cost and duration. The numbers stay on this machine.
 */
export interface UsageStatisticsParams {
  /** The account, or `*` for all accounts. Default: the connection's account, otherwise `owner`. */
  account?: AccountID;
  /** Only generations accepted on the day of this time, in UTC, or later. */
  since?: Timestamp;
  /** Only generations accepted on a day, in UTC, that began before this time. */
  until?: Timestamp;
}

/** Sums over generations. */
export interface UsageSum {
  /** The number of generations. */
  generations: number;
  /** Credits spent on them. */
  creditsUsed: number;
  /** What the providers charged, in US dollars, as far as known. */
  costUsd: number;
}

/** How the process that decodes pictures is confined, as it found itself after it had confined itself. */
export interface WorkerConfinement {
  /** Whether only listed system calls are possible; any other ends the process. */
  seccomp: boolean;
  /** The version of Landlock that closes the file system to it; 0 where the kernel has none. */
  landlockAbi: number;
  /** Whether other processes of the user can read its memory; true only for debugging. */
  dumpable: boolean;
  /** Whether it is alone in its user, network and IPC namespaces, which many systems do not allow. */
  namespaces: boolean;
}
