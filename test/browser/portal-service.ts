import { type Place, sqlitePlace } from "../places.ts";
import { apiKey, startServiceProcess } from "../service-process.ts";

const OWNER = "owner-1";

export interface PortalService {
  address: string;
  apiKey: string;
  /** The API with the marketplace's key. */
  api(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** A link to the pages of an owner, as the marketplace's button makes it. */
  link(session?: Record<string, unknown>): Promise<string>;
  stop(): Promise<void>;
}

/** The service as an operator runs it; receivers on loopback are allowed. */
export async function startPortalService(
  env: Record<string, string> = {},
  makePlace: () => Promise<Place> = sqlitePlace,
): Promise<PortalService> {
  const place = await makePlace();
  const service = await startServiceProcess({
    ...place.env,
    MARKETHOOK_SERVICE_NAME: "Market",
    ...env,
  });
  const { api } = service;
  return {
    address: service.address,
    apiKey,
    api,
    async link(session = {}) {
      const { url } = await api("POST", "/portal-sessions", { ownerId: OWNER, ...session });
      return String(url);
    },
    async stop() {
      await service.kill();
      await place.drop();
    },
  };
}
