/** Addresses of chat platforms' own webhooks. Whoever knows such an address can post: the path is its secret. */
const CHATS: readonly { format: string; name: string; host: RegExp; path: RegExp }[] = [
  {
    format: "discord",
    name: "Discord",
    host: /^((ptb|canary)\.)?discord(app)?\.com$/,
    path: /^\/api\/(v\d+\/)?webhooks\/./,
  },
  {
    format: "slack",
    name: "Slack",
    host: /^hooks\.slack\.com$/,
    path: /^\/(services|workflows)\/./,
  },
  { format: "teams", name: "Microsoft Teams", host: /\.webhook\.office\.com$/, path: /./ },
];

/** `json`, or the chat platform whose address it is. */
export function formatOf(url: string): string {
  return chatOf(url)?.format ?? "json";
}

/** What an owner should know who enters a chat platform's address. */
export function formatRemarks(url: string): string[] {
  const chat = chatOf(url);
  if (chat === undefined) return [];
  return [
    `This is an address of ${chat.name}, which refuses signed JSON requests; it needs a program of your own in between.`,
  ];
}

/** The URL for a page, without what is secret of a chat platform's address. */
export function shownUrl(url: string): string {
  return chatOf(url) === undefined ? url : `${new URL(url).origin}/…`;
}

function chatOf(url: string) {
  if (!URL.canParse(url)) return undefined;
  const { hostname, pathname } = new URL(url);
  return CHATS.find(({ host, path }) => host.test(hostname) && path.test(pathname));
}
