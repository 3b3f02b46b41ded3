<?php
// Sends the outbox's waiting rows, oldest first, one by one. Run it by cron or in a loop, never in a page request.
// Exit code 0: nothing waits. 1: Markethook cannot be reached or does not take our requests now; run it again later.
declare(strict_types=1);

$db = new PDO(getenv('OUTBOX_DSN'), getenv('OUTBOX_USER') ?: null, getenv('OUTBOX_PASSWORD') ?: null,
    [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
$waiting = "select id, idempotency_key, resource_id, event from outbox where state = 'waiting' order by id limit 100";
$settle = $db->prepare('update outbox set state = ?, event_id = ?, error = ? where id = ?');
$http = curl_init(); // One handle keeps the connection open from row to row.
while (($rows = $db->query($waiting)->fetchAll(PDO::FETCH_ASSOC)) !== []) {
    foreach ($rows as ['id' => $id, 'idempotency_key' => $key, 'resource_id' => $resource, 'event' => $event]) {
        curl_setopt_array($http, [
            CURLOPT_URL => getenv('WEBHOOKS_URL') . "/v1/resources/$resource/events",
            CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('WEBHOOKS_KEY'), 'Content-Type: application/json',
                "Idempotency-Key: $key"], // From the row, so the same at each try: that is what makes trying again safe.
            CURLOPT_POSTFIELDS => $event,
            CURLOPT_TIMEOUT_MS => 2000,
            CURLOPT_RETURNTRANSFER => true,
        ]);
        $answer = json_decode((string) curl_exec($http), true);
        $status = curl_getinfo($http, CURLINFO_RESPONSE_CODE); // 0: no answer
        $code = $answer['code'] ?? null;
        $stored = $answer['eventId'] ?? null; // Missing where something else answers.
        if ($stored !== null && ($status === 202 || $status === 200)) { // 200: an earlier try had stored it.
            $settle->execute(['sent', $stored, null, $id]);
        } elseif ($code === 'resource_unknown' || ($code !== null && in_array($status, [400, 409, 413, 422], true))) {
            $settle->execute(['parked', null, $code, $id]); // It would be refused each time: a person must look at it.
            fwrite(STDERR, "$key is parked: $code\n");
        } else { // The row stays, and so do those behind it, which keeps their order.
            fwrite(STDERR, "$key waits: " . ($code ?? (curl_error($http) ?: "status $status")) . "\n");
            exit(1);
        }
    }
}
