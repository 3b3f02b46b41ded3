import { headerNames } from "@markethook/protocol/header-names";
import type { SampleFor } from "./samples.ts";

/** Shell commands that check a request, or make one. */
export function opensslFor({ serviceName, standard }: SampleFor): string {
  const { signature } = headerNames(serviceName);
  const keyLine = `key=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
`;
  const standardLines = `whole=$({ printf '%s.%s.' "$id" "$time"; cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
`;
  const standardHeaders = `  -H "webhook-timestamp: $time" -H "webhook-signature: v1,$whole" \\
`;
  return `# Save the exact body of a request as body.json, and what its headers webhook-id
# and webhook-timestamp say as id and time. Or, to make a request, take new ones:
id=evt_$(openssl rand -hex 8) time=$(date +%s)

: "\${WEBHOOK_SECRET:?is not set, and anybody can sign with an empty secret}"
signature=$(openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" < body.json | sed 's/^.* //')
${standard ? keyLine + standardLines : ""}
# To check: the headers must say the same; in a rotation, one of the two does.
# The id must be new to you${standard ? ", and time less than 300 s ago" : ""}.
echo "${signature}: $signature"
${standard ? `echo "webhook-signature: v1,$whole"\n` : ""}
# To send your receiver a request that it accepts:
curl -i http://localhost:3000/ \\
  -H "Content-Type: application/json" -H "webhook-id: $id" \\
${standard ? standardHeaders : ""}  -H "${signature}: $signature" \\
  --data-binary @body.json
`;
}
