import { randomBytes } from "node:crypto";
import { makeApiKey } from "@markethook/api/tokens";
import { type HangingReceiver, startHangingReceiver } from "./hanging-receiver.ts";
import { sqlitePlace } from "./places.ts";
import { type ServiceProcess, startServiceProcess } from "./service-process.ts";

export interface RunningService {
  service: ServiceProcess;
  address: string;
  apiKey: string;
  receiver: HangingReceiver;
  /** Where webhooks may point. */
  receiverUrl: string;
  stop(): Promise<void>;
}

/** The service as a user runs it, with a receiver that it may send to; for a whole file of tests. */
export async function startRunningService(
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningService> {
  const place = await sqlitePlace();
  const receiver = await startHangingReceiver();
  const apiKey = makeApiKey(randomBytes);
  const service = await startServiceProcess({
    ...place.env,
    MARKETHOOK_BASE_URL: "https://market.example",
    MARKETHOOK_API_KEY: apiKey,
    MARKETHOOK_ALLOW_TARGETS: "127.0.0.0/8",
    ...settings,
  });
  return {
    service,
    address: service.address,
    apiKey,
    receiver,
    receiverUrl: `http://127.0.0.1:${receiver.port}/hooks`,
    async stop() {
      service.signal("SIGKILL");
      await service.exited;
      await receiver.close();
      await place.drop();
    },
  };
}
