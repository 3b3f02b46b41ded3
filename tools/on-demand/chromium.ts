import { importOnDemand } from "./install.ts";

/** As far as it is used. */
interface Chromium {
  default: { executablePath(): Promise<string> };
}

/** Where a Chromium is, which is unpacked to a temporary folder first. */
export async function chromiumPath(): Promise<string> {
  const chromium = await importOnDemand<Chromium>("chromium", "@sparticuz/chromium");
  return await chromium.default.executablePath();
}
