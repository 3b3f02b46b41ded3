/** Whether the page stands in a frame of the marketplace's page. */
export function isFramed(): boolean {
  return globalThis.top !== globalThis.self;
}
