import type { Store } from "@markethook/store";
import type { InstanceCount } from "../gates/instance-count.ts";
import type { Place } from "../queue/place.ts";
import type { Observer } from "../wiring/observer.ts";
import type { Sender } from "../send/sender.ts";
import type { SettlementRules } from "../deliver/settlement.ts";
import type { DispatcherSettings } from "../wiring/settings.ts";
import { ChatPace } from "./chat-pace.ts";
import { createChatRoutes } from "./chat-route.ts";
import { createDeliverChat } from "./deliver-chat.ts";
import { createPingChat } from "./ping-chat.ts";
import { createSendChat } from "./send-chat.ts";

/** Puts the parts for chat platforms together: the gate, and the code that makes and sends messages. */
export function createChat(options: {
  chat: Store["chat"];
  sender: Sender;
  settings: DispatcherSettings;
  rules: SettlementRules;
  profileNo: number;
  instances: InstanceCount;
  now: () => number;
  wake(place: Place): void;
  observer: Observer;
}) {
  const { chat, settings, rules, observer } = options;
  const routes = createChatRoutes(settings.chatOrigins ?? {});
  const pace = new ChatPace({
    routes,
    now: options.now,
    instances: options.instances,
    limitsOf: (format) => ({ ...format.limits, ...settings.chatLimits }),
    wake: (place) => options.wake(place),
    paused(ms, answers) {
      const seconds = Math.ceil(ms / 1000);
      chat
        .notePaused({ instance: settings.instanceName, invalidAnswers: answers, seconds })
        .catch((error: unknown) => observer.fault("note that chats are paused", error));
    },
  });
  const send = createSendChat({
    chat,
    sender: options.sender,
    routes,
    pace,
    profileNo: options.profileNo,
    serviceName: settings.serviceName,
    service: { url: settings.publicUrl, version: settings.version },
    fault: (where, error) => observer.fault(where, error),
  });
  return {
    gate: pace,
    prepare: createDeliverChat(send, rules),
    ping: createPingChat({
      chat: send,
      pace,
      disable: async (target, reason) => {
        await chat
          .disable(target, reason)
          .catch((error: unknown) => observer.fault("disable a chat's webhooks", error));
      },
      patienceMs: settings.chatPingPatienceMs,
      wallNow: rules.wallNow,
    }),
  };
}
