import { first } from "./0001-first.ts";
import { chat } from "./0002-chat.ts";
import { audit } from "./0003-audit.ts";
import { hosts } from "./0004-hosts.ts";
import { logBuckets } from "./0005-log-buckets.ts";
import { waitingByBuyer } from "./0006-waiting-by-buyer.ts";
import { countsByNumber } from "./0007-counts-by-number.ts";
import { logVacuum } from "./0008-log-vacuum.ts";
import { givenUp } from "./0009-given-up.ts";
import { confirmedAddresses } from "./0010-confirmed-addresses.ts";
import { leaseNumbers } from "./0011-lease-numbers.ts";
import { keysPerResource } from "./0012-keys-per-resource.ts";
import { earlyAttempts } from "./0013-early-attempts.ts";
import { webhooksByState } from "./0014-webhooks-by-state.ts";
import { keyAddresses } from "./0015-key-addresses.ts";
import { ownersTimes } from "./0016-owners-times.ts";
import { sessionSecrets } from "./0017-session-secrets.ts";
import { poisonSuspects } from "./0018-poison-suspects.ts";
import { sessionRenewal } from "./0019-session-renewal.ts";
import { sealedAddresses } from "./0020-sealed-addresses.ts";

/** In order; a migration's number is its place, counted from 1, and the same on both databases. */
export const MIGRATIONS: readonly { name: string; sql: string }[] = [
  { name: "0001-first", sql: first },
  { name: "0002-chat", sql: chat },
  { name: "0003-audit", sql: audit },
  { name: "0004-hosts", sql: hosts },
  { name: "0005-log-buckets", sql: logBuckets },
  { name: "0006-waiting-by-buyer", sql: waitingByBuyer },
  { name: "0007-counts-by-number", sql: countsByNumber },
  { name: "0008-log-vacuum", sql: logVacuum },
  { name: "0009-given-up", sql: givenUp },
  { name: "0010-confirmed-addresses", sql: confirmedAddresses },
  { name: "0011-lease-numbers", sql: leaseNumbers },
  { name: "0012-keys-per-resource", sql: keysPerResource },
  { name: "0013-early-attempts", sql: earlyAttempts },
  { name: "0014-webhooks-by-state", sql: webhooksByState },
  { name: "0015-key-addresses", sql: keyAddresses },
  { name: "0016-owners-times", sql: ownersTimes },
  { name: "0017-session-secrets", sql: sessionSecrets },
  { name: "0018-poison-suspects", sql: poisonSuspects },
  { name: "0019-session-renewal", sql: sessionRenewal },
  { name: "0020-sealed-addresses", sql: sealedAddresses },
];
