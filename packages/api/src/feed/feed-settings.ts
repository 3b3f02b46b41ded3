export interface FeedSettings {
  everyMs: number;
  /** Limit of open streams, in all and per owner, or per key that acts for the marketplace. */
  most: number;
  mostPerOwner: number;
}

export const FEED_SETTINGS: FeedSettings = { everyMs: 1000, most: 500, mostPerOwner: 20 };
