import type { RandomBytes } from "@markethook/protocol";
import type { Store } from "@markethook/store";
import type { AllowList } from "../guard/allow-list.ts";
import type { CachingResolver } from "../guard/resolver.ts";
import type { DryRun } from "../gates/dry-run.ts";
import type { Observer } from "./observer.ts";
import type { Sender } from "../send/sender.ts";
import type { DispatcherSettings } from "./settings.ts";

/** What the sending side is made of and told; everything that a test puts something else in for. */
export interface DispatcherOptions {
  store: Store;
  sender: Sender;
  settings: DispatcherSettings;
  /** Says what is sent although everything else is held; absent: nothing is held. */
  dryRun?: DryRun;
  /** Limits requests to hosts that never answered well; absent: nobody is limited. The sender's own. */
  places?: { resolver: CachingResolver; allow: AllowList };
  observer: Observer;
  /** Monotonic milliseconds. */
  now: () => number;
  /** Unix milliseconds. */
  wallNow: () => number;
  random: () => number;
  randomBytes: RandomBytes;
}
