export interface PreviewProps {
  /** `ChatMessage.body` */
  body: string;
  /** Who posts it. */
  name: string;
  look: "light" | "dark";
  edited: boolean;
}
