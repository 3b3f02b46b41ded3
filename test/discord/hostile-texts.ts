import { type EventFacts, sampleFacts } from "@markethook/chat";
import type { EventName } from "@markethook/protocol";

/** Texts by which somebody would ping, mislead, or have a message refused; whole, and as parts to be combined. */
const PARTS: readonly string[] = [
  "@everyone",
  "@here",
  "<@123456789012345678>",
  "<@!123456789012345678>",
  "<@&123456789012345678>",
  "<#123456789012345678>",
  "</ban:123456789012345678>",
  "<:nitro:123456789012345678>",
  "<a:nitro:123456789012345678>",
  "<t:1767323045:R>",
  "<id:customize>",
  "https://evil.example/x",
  "<https://evil.example>",
  "[free](https://evil.example)",
  "[free](<https://evil.example> 'title')",
  "[https://discord.com](https://evil.example)",
  "[a](https://evil.example/(b))",
  "discord.gg/evil",
  "https://discord.gg/evil",
  "discordapp.com/invite/evil",
  "www.evil.example",
  "steam://run/1",
  "<mailto:a@evil.example>",
  "<tel:+123>",
  "```",
  "`",
  "``",
  "||",
  "**",
  "__",
  "~~",
  "*",
  "_",
  "\\",
  "\\\\",
  "[",
  "]",
  "](",
  ")",
  "<",
  ">",
  "# big",
  "-# small",
  "> quoted",
  ">>> all quoted",
  "- item",
  "1. item",
  "\n",
  "\n# ",
  "\r",
  "\u0000",
  "\u001b[2J",
  "\u202e",
  "\u2066",
  "\u200b",
  "\u200d",
  "\u2060",
  "\ufeff",
  "\u3164",
  "\ud83d",
  "\udc00",
  "\ufe0f",
  "e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301",
  "👩‍👩‍👧‍👦",
  "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  "{buyer}",
  "{{",
  '"},{"',
  " ",
  "a",
  "Ünï",
];

/** Always the same `count` of them. */
export function hostileTexts(count: number): string[] {
  const texts = [
    ...PARTS,
    ...PARTS.flatMap((part) => [`x${part}`, part.repeat(300), `@\u200b${part}`]),
  ];
  let state = 12_345;
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  while (texts.length < count) {
    const parts = Array.from({ length: 2 + next(6) }, () => PARTS[next(PARTS.length)] ?? "");
    texts.push(parts.join(next(3) === 0 ? " " : ""));
  }
  return texts.slice(0, count);
}

/** All that comes from users, everywhere at once. */
export function hostileFacts(event: EventName, text: string): EventFacts {
  const sample = sampleFacts(event, {
    title: text,
    url: "https://market.example/resource/castle",
    serviceName: "Market",
  });
  const payload = JSON.parse(sample.payload) as Record<string, Record<string, unknown>>;
  Object.assign(payload["product"] ?? {}, { subtitle: text });
  if (payload["update"] !== undefined) {
    Object.assign(payload["update"], {
      version: text,
      branch: text,
      size: text,
      title: text,
      description: text,
    });
  }
  const details = { buyerName: text, amount: text, currency: text, orderId: text, reason: text };
  return { ...sample, payload: JSON.stringify(payload), details: JSON.stringify(details) };
}
