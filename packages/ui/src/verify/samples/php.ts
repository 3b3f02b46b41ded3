import type { SampleFor } from "../sample-for.ts";

export function php({ signature, signatureNext, standard }: SampleFor): string {
  const standardCheck = `
// webhook-signature covers the id and the time of sending too.
$time = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
if (preg_match('/^[0-9]{1,12}$/D', $time) !== 1 || abs(time() - (int) $time) > 300) {
    refuse(401);
}
$key = base64_decode(preg_replace('/^whsec_/', '', $secret));
$whole = base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
if (!is_one_of("v1,$whole", explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? ''))) {
    refuse(401);
}
`;
  return `<?php
http_response_code(500); // until it is done: if acting fails, the event must come again
$secret = getenv('WEBHOOK_SECRET');
if (!is_string($secret) || $secret === '') {
    error_log('WEBHOOK_SECRET is not set. For php-fpm it is set in the pool: env[WEBHOOK_SECRET] = ...');
    refuse(500); // anybody can sign with an empty secret
}
// The raw bytes, not parsed. Of a larger body than 1 MiB only a part is read, which no signature fits.
$body = file_get_contents('php://input', false, null, 0, 1024 * 1024);
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
if ($id === '') {
    refuse(401);
}
${standard ? standardCheck : ""}
// This one covers the body alone. During a rotation the new secret's stands in -Next.
$plain = hash_hmac('sha256', $body, $secret);
$given = [$_SERVER['${variable(signature)}'] ?? '', $_SERVER['${variable(signatureNext)}'] ?? ''];
if (!is_one_of($plain, $given)) {
    refuse(401);
}

// Yours is a table with a unique column.
$done = sys_get_temp_dir() . '/webhook-' . hash('sha256', $id);
if (!file_exists($done)) {
    $request = json_decode($body, true);
    error_log($id . ' ' . $request['event']); // act here, once per webhook-id
    touch($done);
}
http_response_code(204);

function is_one_of(string $expected, array $given): bool
{
    foreach ($given as $one) {
        if (hash_equals($expected, $one)) {
            return true;
        }
    }
    return false;
}

function refuse(int $status): void
{
    http_response_code($status);
    exit;
}
`;
}

function variable(header: string): string {
  return `HTTP_${header.toUpperCase().replaceAll("-", "_")}`;
}
