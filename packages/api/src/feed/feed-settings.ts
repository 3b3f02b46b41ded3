export interface FeedSettings {
  everyMs: number;
  /** Open at a time, in all and of one session or key. */
  most: number;
  mostPerActor: number;
}

export const FEED_SETTINGS: FeedSettings = { everyMs: 1000, most: 500, mostPerActor: 20 };
