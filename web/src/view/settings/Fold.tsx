// A part of the settings that opens and closes. What is open is kept by the
// page, because saving draws the form anew.
import type { ReactNode } from "react";

export interface Folds {
  open: ReadonlySet<string>;
  onOpen: (name: string, isOpen: boolean) => void;
}

interface Props {
  name: string;
  folds: Folds;
  className: string;
  head: ReactNode;
  children: ReactNode;
}

export function Fold({ name, folds, className, head, children }: Props) {
  const isOpen = folds.open.has(name);
  return (
    <details className={className} data-name={name} open={isOpen} onToggle={(event) => event.currentTarget.open !== isOpen && folds.onOpen(name, event.currentTarget.open)}>
      <summary>{head}</summary>
      {isOpen && children}
    </details>
  );
}
