// Copies the pictures that the documents show from those that the last run of the
// browser tests made: `npm run e2e && npm run pictures`.
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const from = join(import.meta.dirname, "../e2e/screenshots");
const to = join(import.meta.dirname, "../../docs/images");

const PICTURES = {
  "inbox-desktop-light": "dashboard",
  "session-changes-desktop-dark": "session",
  "grid-desktop-dark": "grid",
  "inbox-phone-dark": "phone",
};

mkdirSync(to, { recursive: true });
for (const [shot, picture] of Object.entries(PICTURES)) copyFileSync(join(from, `${shot}.png`), join(to, `${picture}.png`));
