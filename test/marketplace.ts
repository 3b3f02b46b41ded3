/** A marketplace's first steps, over HTTP, as one would do them by hand. */
export interface Marketplace {
  webhookIds: string[];
  secrets: string[];
}

export async function call(
  address: string,
  apiKey: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${address}/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
}

export async function setUpMarketplace(
  address: string,
  apiKey: string,
  resourceId: string,
  urls: readonly string[],
): Promise<Marketplace> {
  await call(address, apiKey, "PUT", `/resources/${resourceId}`, {
    title: "Größe 🎉 “Plugin”",
    subtitle: "",
    ownerId: "owner-1",
  });
  const webhookIds: string[] = [];
  const secrets: string[] = [];
  for (const url of urls) {
    const webhook = await call(address, apiKey, "POST", `/resources/${resourceId}/webhooks`, {
      url,
    });
    webhookIds.push(String(webhook["id"]));
    secrets.push(String(webhook["secret"]));
  }
  return { webhookIds, secrets };
}
