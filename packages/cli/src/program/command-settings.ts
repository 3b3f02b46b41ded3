/** Variables that only commands next to the service read. The service must not take them for misspelt settings. */
export const COMMAND_SETTINGS = {
  apiUrl: {
    name: "MARKETHOOK_API_URL",
    sentence: "Where commands that talk to a service find it; `--api` comes first.",
  },
  webhookSecret: {
    name: "MARKETHOOK_WEBHOOK_SECRET",
    sentence: "The webhook's secret for `receive`, `trigger` and `verify`; `--secret` comes first.",
  },
} as const;
