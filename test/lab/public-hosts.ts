import { PUBLIC_BLOCKS, PUBLIC_IPV6 } from "./network.ts";
import { count, each, expect, type Lab } from "./report.ts";
import { create, ended, report } from "./webhooks.ts";

const WORDS = "shop craft castle moat tower market pixel forge guild raven".split(" ");
const ENDINGS = "com net org io dev de co.uk gg app info com.br store".split(" ");
const PORTS = ["", ":8080", ":3000", "", ":443", ""];

/** Hosts as sellers have them: all must be saved and get their event, and redirects to tripwires lead nowhere. */
export async function publicHosts(lab: Lab, hosts: number): Promise<void> {
  const urls = Array.from({ length: hosts }, (_, index) => hostUrl(lab, index));
  for (const target of ["http://127.0.0.1/", "http://169.254.169.254/", "http://10.0.0.1:8080/"]) {
    lab.names.set("redirects.example.com", () => ({ addresses: ["23.9.9.9"] }));
    urls.push(`http://redirects.example.com/?to=${encodeURIComponent(target)}`);
  }
  const webhooks: { id: string; url: string; resource: string }[] = [];
  await each(urls, async (url) => {
    const { status, body, resource } = await create(lab, url);
    expect(lab, status === 201, `${url} was refused: ${body.detail}`);
    if (body.id !== undefined) webhooks.push({ id: body.id, url, resource });
  });
  await report(
    lab,
    webhooks.map(({ resource }) => resource),
  );
  await each(webhooks, async ({ id, url }) => {
    const { state, lastOutcome } = await ended(lab, id);
    if (url.includes("?to=")) {
      count(lab, "redirects to tripwires");
      expect(lab, lastOutcome === "redirect", `${url}: ${lastOutcome}`);
      return;
    }
    count(lab, "public hosts");
    expect(lab, state === "delivered", `${url}: ${lastOutcome}`);
  });
}

function hostUrl(lab: Lab, index: number): string {
  const first = PUBLIC_BLOCKS[index % PUBLIC_BLOCKS.length]?.split(".")[0] ?? "8";
  const address = `${first}.${(index * 7) & 255}.${index >> 8}.${(index & 127) + 1}`;
  const port = PORTS[index % PORTS.length] ?? "";
  // Every seventh is an address without a name, as sellers' bots have it.
  if (index % 7 === 0) return `http://${address}${port}/hook?from=market`;
  const word = WORDS[index % WORDS.length] ?? "";
  const name = `${word}-${index}.${index % 3 === 0 ? "hooks." : ""}${word}s.${ENDINGS[index % ENDINGS.length]}`;
  const addresses = index % 5 === 0 ? [address, PUBLIC_IPV6] : [address];
  lab.names.set(name, () => ({ addresses, ttl: index % 300 }));
  return `http://${name}${port}/webhooks/${index}`;
}
