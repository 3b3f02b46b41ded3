import { kind, setting } from "./setting.ts";
import { duration, LONGEST_TIMER, tlsCurves, whole } from "./setting-readers.ts";

export const CONNECTION_SETTINGS = {
  receiverConnections: setting(
    "RECEIVER_CONNECTIONS",
    null,
    "Open connections to receivers in all, idle ones included; at least CONCURRENCY. Unset: as open files and a sixteenth of the memory allow, 1,000 to 10,000.",
    whole(1, 100_000),
  ),
  receiverIdleTimeout: setting(
    "RECEIVER_IDLE_TIMEOUT",
    "2m",
    "Longest time that an idle connection to a receiver is kept: up to this as long as the receiver announces, less a second; 55 s where it announces nothing.",
    duration("100ms", LONGEST_TIMER),
  ),
  tlsSessionSize: setting(
    "TLS_SESSION_SIZE",
    "32",
    "Memory for TLS sessions of receivers, which make a new connection cheaper; a session takes about 1.5 KiB.",
    whole(1, 4096, "MiB"),
  ),
  senderThreads: setting(
    "SENDER_THREADS",
    null,
    "Threads that sign, connect to receivers, encrypt and send; 0: the main thread does. Each takes some 50 MiB. Unset: two fewer than the machine has cores, 0 to 4.",
    whole(0, 64, "threads"),
  ),
  tlsCurves: setting(
    "TLS_CURVES",
    null,
    "For the key exchange with receivers, e.g. `X25519:P-256:P-384`, which saves CPU time and gives up protection against future quantum computers. Unset: as OpenSSL chooses.",
    kind("curves", tlsCurves),
  ),
} as const;
