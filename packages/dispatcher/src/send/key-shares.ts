/** What OpenSSL 3.5 offers by itself, without the marks (`*`) of the groups for which it also sends a key share. */
const GROUPS =
  "?X25519MLKEM768 / ?X25519:?secp256r1 / ?X448:?secp384r1:?secp521r1 / ?ffdhe2048:?ffdhe3072";

/** By the name that Node tells of a handshake's group. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["X25519MLKEM768", "?X25519MLKEM768 "],
  ["X25519", "?X25519:"],
  ["prime256v1", "?secp256r1 "],
]);

/**
 * Returns the groups to offer to a receiver that chose this one: all of them in OpenSSL's order, but a key share for this
 * one alone. Shares that a receiver does not use are most of a first message's bytes and much of its time. One that it
 * needs and does not get costs a round trip. Null: the group is not among those that a share can be sent for.
 */
export function groupsWithShareFor(group: string): string | null {
  const name = NAMES.get(group);
  return name === undefined ? null : GROUPS.replace(name, name.replace("?", "?*"));
}
