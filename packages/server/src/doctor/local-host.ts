/** Names and addresses of this machine in a URL. */
export function isLocalHost(host: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host);
}

/** Hosts that cannot be reached from outside the own network. */
export function isPrivateName(host: string): boolean {
  if (isLocalHost(host)) return true;
  const address = /^(10|127|0|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))(\.\d+)+$/.test(host);
  const inner = /\.(local|lan|internal|intranet|home\.arpa|test)$/.test(host);
  return address || inner || /^\[f[cde]/.test(host) || !/[.:]/.test(host);
}
