import { BlockList, isIP } from "node:net";

const MAPPED = /^::ffff:(?=\d+\.)/i;

/** Says which addresses are in a list of CIDRs. */
export interface AddressList {
  has(address: string): boolean;
}

/** Null: an entry is neither an address nor a CIDR. */
export function parseAddressList(entries: readonly string[]): AddressList | null {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", bits, more] = entry.split("/");
    const family = familyOf(address);
    if (family === null || more !== undefined) return null;
    const most = family === "ipv4" ? 32 : 128;
    if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > most)) return null;
    list.addSubnet(address, bits === undefined ? most : Number(bits), family);
  }
  return {
    has(address) {
      const plain = address.replace(MAPPED, "");
      const family = familyOf(plain);
      return family !== null && list.check(plain, family);
    },
  };
}

function familyOf(address: string): "ipv4" | "ipv6" | null {
  const version = isIP(address);
  if (version === 0 || address.includes("%")) return null;
  return version === 4 ? "ipv4" : "ipv6";
}
