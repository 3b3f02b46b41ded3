export interface FeedSettings {
  everyMs: number;
  /** Limit of open streams, in all and per session or key. */
  most: number;
  mostPerActor: number;
}

export const FEED_SETTINGS: FeedSettings = { everyMs: 1000, most: 500, mostPerActor: 20 };
