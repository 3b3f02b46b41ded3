/** The groups of operations, in the order in which the reference shows them. */
const TAGS = {
  events: "Report events, and look up what was reported.",
  resources: "What is sold, and who owns it. Events and webhooks belong to a resource.",
  webhooks: "Where a resource's events are sent to: URL, chosen events, secret, state.",
  deliveries: "One event to one webhook, with all its attempts: look up, send again, follow live.",
  portal: "Sessions of the owner's page.",
  notices: "What owners should be told.",
  import: "Moving here from another system.",
  users: "Erasing a user.",
  "api-keys": "Keys of the marketplace's programs.",
  audit: "Who changed what.",
  operator: "How the service is doing.",
  service: "For machines around the service.",
  receivers: "What receivers get. Their own documentation is docs/reference/requests.md.",
} as const;

/** A group of operations of this API; `receivers` have the webhooks. */
export type Tag = Exclude<keyof typeof TAGS, "receivers">;

export const TAG_LIST = Object.entries(TAGS).map(([name, description]) => ({ name, description }));
