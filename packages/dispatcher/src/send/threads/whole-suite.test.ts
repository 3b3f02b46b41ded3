/** The sender's tests again, with two threads behind the same interface. Read by `testing/test-sender.ts`. */
process.env["MARKETHOOK_TEST_SENDER_THREADS"] = "2";

await import("../sender.test.ts");
await import("../sender-keep-alive.test.ts");
await import("../sender-hostile.test.ts");
await import("../sender-tls.test.ts");
await import("../sender-tls-hostile.test.ts");
await import("../egress-proxy.test.ts");
await import("../regression-second-answer.test.ts");
