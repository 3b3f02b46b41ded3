import { networkInterfaces } from "node:os";

const own = Object.values(networkInterfaces()).flatMap((some) => some ?? []);

/** A reason to skip a test, as in most containers. */
export const NO_IPV6 = own.some(({ address }) => address === "::1")
  ? false
  : "this machine has no IPv6";

/** A reason to skip a test that needs a second machine: Linux has all of 127.0.0.0/8, macOS one address of it. */
export const ONE_LOOPBACK_ADDRESS =
  process.platform === "linux" && own.some(({ cidr }) => cidr === "127.0.0.1/8")
    ? false
    : "this machine has one loopback address alone";
