export interface PreviewProps {
  /** `ChatMessage.body` */
  body: string;
  /** Who posts it. */
  name: string;
  look: "light" | "dark";
  edited: boolean;
}

/** `#rrggbb` */
export function cssColour(colour: number): string {
  return `#${colour.toString(16).padStart(6, "0")}`;
}
