import { isIP } from "node:net";

/** Remarks for the owner about an allowed address. */
export function remarksOn(url: string): string[] {
  const { protocol, hostname } = new URL(url);
  const remarks: string[] = [];
  if (protocol === "http:")
    remarks.push("Requests are not encrypted on their way: https is better.");
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) {
    remarks.push(
      "The address is written as a number: if the server moves, the webhook must be changed.",
    );
  }
  return remarks;
}
