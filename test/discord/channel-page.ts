import type { Channel, ChannelMessage } from "./channels.ts";

/** The channels as a browser shows them; it looks again by itself. */
export function channelPage(channels: Iterable<Channel>): string {
  const shown = [...channels].map(
    (channel) =>
      `<section aria-label="${text(channel.name)}"><h2>#${text(channel.name)}</h2>${channel.messages.map(article).join("")}</section>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="1"><title>Channels</title><h1>Channels</h1>${shown.join("")}</html>`;
}

function article(message: ChannelMessage): string {
  const embeds = message.embeds.map(
    (embed) =>
      `<h3>${text(embed.title ?? "")}</h3><p>${text(embed.description ?? "")}</p><dl>${(embed.fields ?? []).map(({ name, value }) => `<dt>${text(name)}</dt><dd>${text(value)}</dd>`).join("")}</dl><footer>${text(embed.footer?.text ?? "")}</footer>`,
  );
  const edited = message.edits > 0 ? "<small>(edited)</small>" : "";
  return `<article id="m${message.id}"><p>${text(message.content)}</p>${embeds.join("")}${edited}</article>`;
}

function text(value: string): string {
  return value.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
}
