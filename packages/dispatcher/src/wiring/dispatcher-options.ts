import type { RandomBytes } from "@markethook/protocol";
import type { Store } from "@markethook/store";
import type { AllowList } from "../guard/allow-list.ts";
import type { CachingResolver } from "../guard/resolver.ts";
import type { DryRun } from "../gates/dry-run.ts";
import type { Observer } from "./observer.ts";
import type { Sender } from "../send/sender.ts";
import type { DispatcherSettings } from "./settings.ts";

/** The parts and settings of the sending side, including everything that tests replace. */
export interface DispatcherOptions {
  store: Store;
  sender: Sender;
  settings: DispatcherSettings;
  /** Says which requests are sent in a dry run. Absent: no dry run. */
  dryRun?: DryRun;
  /** Limits requests to hosts that never answered well. Absent: no limit. It is the sender's own resolver and list. */
  places?: { resolver: CachingResolver; allow: AllowList };
  observer: Observer;
  /** Monotonic milliseconds. */
  now: () => number;
  /** Unix milliseconds. */
  wallNow: () => number;
  random: () => number;
  randomBytes: RandomBytes;
}
