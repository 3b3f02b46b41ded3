/** Each receiver has a loopback address of its own, as receivers in the world do: caps per host and address hold. */
export function receiverAddress(index: number): string {
  return `127.1.${Math.floor(index / 250)}.${(index % 250) + 1}`;
}
