/** The sender's tests again, with two threads behind the same interface. Read by `testing/test-sender.ts`. */
process.env["MARKETHOOK_TEST_SENDER_THREADS"] = "2";

await import("../../packages/dispatcher/src/send/sender.test.ts");
await import("../../packages/dispatcher/src/send/sender-keep-alive.test.ts");
await import("../../packages/dispatcher/src/send/sender-hostile.test.ts");
await import("../../packages/dispatcher/src/send/sender-tls.test.ts");
await import("../../packages/dispatcher/src/send/sender-tls-hostile.test.ts");
await import("../../packages/dispatcher/src/send/egress-proxy.test.ts");
await import("../../packages/dispatcher/src/send/signed-exchange.test.ts");
await import("../../packages/dispatcher/src/send/regression-second-answer.test.ts");
