/**
 * What `markethook` is in tests: the built command that users install, where `npm test` has built it, because it starts in
 * a third of the time; else the sources.
 */
export const MAIN = process.env["MARKETHOOK_TEST_COMMAND"] ?? "packages/server/src/main.ts";

/** Of its package. */
export const SECURITY_CONTACT = "mailto:security@market.example";
