import type { EventName, Payloads } from "@markethook/protocol";

const product = {
  id: "better-farms",
  title: "Better Farms – Größere Felder 🌾",
  subtitle: "",
  url: "https://marketplace.example/resource/better-farms",
};

const SAMPLES: Payloads = {
  ping: { product, webhook: { url: "https://receiver.example/webhooks" } },
  "product.update": {
    product,
    previous: {
      version: "2.3.0",
      id: "5120",
      time: 1_767_225_600,
      size: "48213",
      fileType: "jar",
      branch: "release",
    },
    update: {
      version: "2.4.0",
      id: "5127",
      time: 1_767_312_000,
      size: "49870",
      fileType: "jar",
      branch: "release",
      title: "Faster harvest",
      description: 'Fixes:\n- no more "ghost" wheat\n- carrots ripen again',
    },
  },
  "product.user.purchase": { product, user: { id: 4711 } },
  "product.user.purchaseRemoved": { product, user: { id: 4711 } },
  "product.user.firstDownload": { product, user: { id: 4711 } },
};

/** A payload as the event really carries it; a copy of its own, to be changed at will. */
export function samplePayload<Name extends EventName>(name: Name): Payloads[Name] {
  return structuredClone(SAMPLES[name]);
}
