export interface Welcome {
  /** Of the service. */
  address: string;
  marketplaceUrl: string;
  receiverUrl: string;
  resource: { id: string; ownerId: string };
  webhookId: string;
  apiKey: string;
}

/** What development mode prints when everything listens. */
export function welcomeLines(of: Welcome): string[] {
  const { address, marketplaceUrl, receiverUrl, resource, webhookId, apiKey } = of;
  return [
    "",
    "Markethook, development mode (receivers on loopback are allowed; do not use it in production)",
    "",
    `  Open        ${marketplaceUrl}/resource/${resource.id}`,
    "              and press Webhooks, choose the webhook, and press Ping: it arrives, signed, at the sample receiver.",
    "              Or be a buyer and press Buy, then Download; or, as the owner, post an update.",
    "",
    `  API         ${address}/v1      reference ${address}/docs`,
    `  operator    ${address}/operator/`,
    `  health      ${address}/healthz  ${address}/readyz  ${address}/metrics`,
    `  resource    ${resource.id}, owned by ${resource.ownerId}`,
    `  receiver    ${receiverUrl}  (webhook ${webhookId})`,
    `  API key     ${apiKey}`,
    "",
    "Without a browser, report a purchase and see it arrive:",
    "",
    `  curl -s ${address}/v1/resources/${resource.id}/events -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' -d '{"event":"product.user.purchase","user":{"id":42}}'`,
    "",
    "Stop with Ctrl-C; data stay in the data folder.",
    "",
  ];
}
