// A labelled field of a form.
import type { ReactNode } from "react";

export function Field({ label, hint, children }: { label: string; hint?: string; children: ReactNode }) {
  return (
    <label className="field">
      <span className="label">{label}{hint !== undefined && <span className="field-hint">{hint}</span>}</span>
      {children}
    </label>
  );
}
