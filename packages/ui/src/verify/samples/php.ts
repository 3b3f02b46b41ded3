export function php(signatureHeader: string): string {
  const variable = `HTTP_${signatureHeader.toUpperCase().replaceAll("-", "_")}`;
  return `<?php
$secret = getenv('WEBHOOK_SECRET');
$body = file_get_contents('php://input'); // the raw bytes, not parsed

$expected = hash_hmac('sha256', $body, $secret);
$given = $_SERVER['${variable}'] ?? '';
if (!hash_equals($expected, $given)) {
    http_response_code(401);
    exit;
}

$request = json_decode($body, true);
// Act once per webhook-id.
error_log($_SERVER['HTTP_WEBHOOK_ID'] . ' ' . $request['event']);
http_response_code(204);
`;
}
