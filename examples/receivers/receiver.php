<?php
// A receiver without libraries. Behind any web server, or: WEBHOOK_SECRET=... php -S 127.0.0.1:8088 receiver.php

declare(strict_types=1);

$secret = getenv('WEBHOOK_SECRET') ?: '';
if ($secret === '') {
    // An empty secret would accept forgeries. A 5xx makes the sender try again later.
    http_response_code(500);
    exit;
}
if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}

// The raw bytes, before anything parses them.
$body = file_get_contents('php://input');
$expected = hash_hmac('sha256', $body, $secret);
// During a rotation the new secret's signature stands in a header of its own.
$fits = hash_equals($expected, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '');
$fitsNext = hash_equals($expected, $_SERVER['HTTP_X_SERVICE_SIGNATURE_NEXT'] ?? '');
if (!$fits && !$fitsNext) {
    http_response_code(401);
    exit;
}

$envelope = json_decode($body, true, 64, JSON_THROW_ON_ERROR);
// Insert this id into a table with a unique column, together with what you do: the same event may come again.
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? null;
error_log("{$id} {$envelope['event']} " . json_encode($envelope['payload']));
http_response_code(204);
