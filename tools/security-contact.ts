const WITHOUT =
  "through the private vulnerability report of the place where this repository is hosted,";

/** The policy with the contact of anyone who publishes it. Throws where that is no address, or the policy has no place for it. */
export function withContact(policy: string, contact: string | undefined): string {
  if (!policy.includes(WITHOUT)) throw new Error("SECURITY.md does not say where to report.");
  if (contact === undefined) return policy;
  if (!/^(mailto:[^\s@<>]+@[^\s@<>]+|https:\/\/[^\s<>]+)$/.test(contact)) {
    throw new Error("The security contact is neither mailto: with an address nor an https: URL.");
  }
  return policy.replace(WITHOUT, () => `to <${contact}>,`);
}
