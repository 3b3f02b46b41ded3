import { useEffect, useState } from "react";

/** How long it has been waiting by now. Not read out: it would be, every second. */
export function Seconds() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const begin = performance.now();
    const timer = setInterval(() => {
      setSeconds(Math.floor((performance.now() - begin) / 1000));
    }, 250);
    return () => clearInterval(timer);
  }, []);
  return <span aria-hidden>{seconds} s</span>;
}
