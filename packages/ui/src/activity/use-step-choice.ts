import { type KeyboardEvent, type PointerEvent, useState } from "react";

interface Choice {
  /** The step at which the choice began. */
  anchor: number;
  active: number;
}

/**
 * Chooses some neighbouring steps of a chart by dragging, or by keys: arrows, Home and End move, with Shift they
 * extend, Enter and the space bar confirm, Escape takes the choice back.
 */
export function useStepChoice(props: {
  steps: number;
  onChosen: (one: number, other: number) => void;
  onCleared: () => void;
}) {
  const { steps, onChosen, onCleared } = props;
  const [choice, setChoice] = useState<Choice | null>(null);
  const [isDragging, setDragging] = useState(false);

  const stepAt = (event: PointerEvent<HTMLElement>): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return within(Math.floor(((event.clientX - left) / width) * steps), steps);
  };

  const move = (to: number, extend: boolean): void => {
    const active = within(to, steps);
    setChoice(extend && choice !== null ? { ...choice, active } : { anchor: active, active });
  };

  return {
    choice,
    isDragging,
    /** Ends the extending of a choice: the log is narrowed to it, or to another range. */
    settle(): void {
      setChoice((now) => (now === null ? null : { anchor: now.active, active: now.active }));
    },
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragging(true);
        move(stepAt(event), event.shiftKey);
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        if (isDragging) move(stepAt(event), true);
      },
      onPointerUp() {
        if (isDragging && choice !== null) onChosen(choice.anchor, choice.active);
        setDragging(false);
      },
      /** The page is scrolled instead. */
      onPointerCancel() {
        setDragging(false);
        setChoice(null);
      },
      onFocus() {
        if (choice === null) move(steps - 1, false);
      },
      onKeyDown(event: KeyboardEvent<HTMLElement>) {
        const active = choice?.active ?? steps - 1;
        const places: Readonly<Record<string, number>> = {
          ArrowLeft: active - 1,
          ArrowRight: active + 1,
          Home: 0,
          End: steps - 1,
        };
        const to = places[event.key];
        if (to !== undefined) move(to, event.shiftKey);
        else if (event.key === "Enter" || event.key === " ") {
          onChosen(choice?.anchor ?? active, active);
        } else if (event.key === "Escape") {
          move(active, false);
          onCleared();
        } else return;
        event.preventDefault();
      },
    },
  };
}

function within(step: number, steps: number): number {
  return Math.max(0, Math.min(steps - 1, step));
}
