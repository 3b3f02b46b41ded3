export function openssl(signatureHeader: string): string {
  return `# Save the exact body of a request as body.json, then:
openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" < body.json

# The 64 digits must equal the header ${signatureHeader}.

# To send your receiver a request that it accepts:
signature=$(openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" < body.json | sed 's/^.* //')
curl -i http://localhost:3000/ \\
  -H "Content-Type: application/json" \\
  -H "${signatureHeader}: $signature" \\
  --data-binary @body.json
`;
}
