/** Text from somebody else: isolated, so that marks of direction in it end with it. */
export function UserText({ children, className }: { children: string; className?: string }) {
  return (
    <bdi className={className} dir="auto">
      {children}
    </bdi>
  );
}
