export type { MarkethookAddress } from "./markethook.ts";
export { SAMPLE_RESOURCE } from "./sample-data.ts";
export {
  startMarketplace,
  type Marketplace,
  type MarketplaceOptions,
} from "./start-marketplace.ts";
