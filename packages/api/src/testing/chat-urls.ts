/** Made up, in the form of Discord's. */
export const DISCORD_ID = "112233445566778899";
export const DISCORD_TOKEN = `tok-${"x".repeat(60)}_end`;
export const DISCORD_URL = `https://discord.com/api/webhooks/${DISCORD_ID}/${DISCORD_TOKEN}`;
export const SHOWN_DISCORD_URL = `https://discord.com/api/webhooks/${DISCORD_ID}/…`;
