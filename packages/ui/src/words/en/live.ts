export const live = {
  connecting: "Connecting",
  live: "Live",
  offline: "Offline",
  away: "Reconnecting",
};
