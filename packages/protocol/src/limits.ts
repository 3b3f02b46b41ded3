/** Limits that more than one package must agree on. Sizes in bytes, times in the unit of their name. */
export const LIMITS = {
  eventBytes: 256 * 1024,
  batchBytes: 4 * 1024 * 1024,
  batchItems: 1000,
  webhooksPerResource: 100,
  deliveriesPerCommit: 2000,
  urlLength: 2048,
  titleLength: 500,
  subtitleLength: 1000,
  versionLength: 100,
  descriptionLength: 60_000,
  shortLabelLength: 32,
  ownerIdLength: 128,
  /** Of resources and updates. */
  idLength: 128,
  detailLength: 255,
  futureSeconds: 300,
  rotationOverlapSeconds: 7 * 24 * 3600,
  /** Kept of a receiver's answer for the log. */
  storedAnswerBytes: 16 * 1024,
  pageSize: 200,
  /** A delivery that may have ended its process is sent alone from this level of suspicion on, and quarantined above it. */
  suspectAloneFrom: 10,
} as const;

/**
 * Ids of resources and of updates come from the marketplace, and stand in addresses as they are: the unreserved
 * characters of RFC 3986, but not `.` and `..`, which programs on the way would resolve. Without lookahead, which not
 * every reader of the OpenAPI document knows.
 */
export const RESOURCE_ID_PATTERN = ((): string => {
  const any = "[A-Za-z0-9._~-]";
  const noDot = "[A-Za-z0-9_~-]";
  const most = LIMITS.idLength;
  return String.raw`^(?:${noDot}${any}{0,${most - 1}}|\.${noDot}${any}{0,${most - 2}}|\.\.${any}{1,${most - 2}})$`;
})();
