<?php
// A receiver without libraries. Behind any web server, or: WEBHOOK_SECRET=... php -S 127.0.0.1:8088 receiver.php

declare(strict_types=1);

http_response_code(500); // Until it is done: PHP may answer 200 where acting throws, and the event would not come again.
$secret = getenv('WEBHOOK_SECRET');
if (!is_string($secret) || $secret === '') {
    // Anybody can sign with an empty secret. A 5xx makes the sender try again later.
    error_log('WEBHOOK_SECRET is not set. For php-fpm it is set in the pool: env[WEBHOOK_SECRET] = ...');
    refuse(500);
}
if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    refuse(405);
}

// The raw bytes, before anything parses them. Of a larger body than 1 MiB only a part is read, which no signature fits.
$body = file_get_contents('php://input', false, null, 0, 1024 * 1024);
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
if ($id === '') {
    refuse(401);
}

// webhook-signature covers the id and the time of sending too. During a rotation it is two, with a space between.
$time = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
if (preg_match('/^[0-9]{1,12}$/D', $time) !== 1 || abs(time() - (int) $time) > 300) {
    refuse(401);
}
$key = base64_decode(preg_replace('/^whsec_/', '', $secret));
$whole = 'v1,' . base64_encode(hash_hmac('sha256', "{$id}.{$time}.{$body}", $key, true));
if (!is_one_of($whole, explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? ''))) {
    refuse(401);
}

// This one covers the body alone. During a rotation the new secret's stands in -Next.
$plain = hash_hmac('sha256', $body, $secret);
$given = [$_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '', $_SERVER['HTTP_X_SERVICE_SIGNATURE_NEXT'] ?? ''];
if (!is_one_of($plain, $given)) {
    refuse(401);
}

// The same event may come again. Use a table with a unique column, written together with your own change.
$done = sys_get_temp_dir() . '/webhook-' . hash('sha256', $id);
if (!file_exists($done)) {
    $envelope = json_decode($body, true, 64, JSON_THROW_ON_ERROR);
    error_log("{$id} {$envelope['event']} " . json_encode($envelope['payload'])); // act here, once per webhook-id
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
